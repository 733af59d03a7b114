import { afterEach, expect, jest, test } from "@jest/globals";
import { Settler } from "../../../../functions/scraping/page/settle.ts";
import { NO_TIMER, type RestState } from "../../../../functions/scraping/page-script/rest-protocol.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

const state: RestState = {
  isFinal: false,
  isLoading: false,
  hasChanged: false,
  hasOtherContent: false,
  size: 10,
  quietMs: 5_000,
  frames: 0,
  observes: 0,
  work: 0,
  asked: 0,
  moves: 0,
  wheels: 0,
  animations: 0,
  timerMs: 0,
  hasList: false,
};

type Parts = ConstructorParameters<typeof Settler>[0];

/** A page that asks for frames until it has had so many, on a machine where each answer takes a minute. */
function slowPage(frames: number) {
  let now = 0;
  jest.spyOn(performance, "now").mockImplementation(() => {
    now += 60_000;
    return now;
  });
  const page = { drawn: 0 };
  const parts = {
    page: { url: () => "http://site.example/", workers: () => [] },
    clock: {
      frame: async () => {
        page.drawn += 1;
      },
      pass: async () => {},
    },
    network: { started: 0, forgetPolls: () => false, isReceiving: () => false, isStreaming: () => false },
    main: { number: 1, mayRefresh: false },
    frames: { mayRefresh: false },
    onPassed: async () => {},
    look: async () => ({ ...state, frames: Number(page.drawn < frames), hasChanged: true }),
  };
  return { page, settler: new Settler(parts as unknown as Parts) };
}

test("a page gets the frames that it asks for, however long the machine takes for them", async () => {
  const { page, settler } = slowPage(140);
  await settler.settle();
  expect(page.drawn).toBeGreaterThanOrEqual(140);
});

test("a document that listens to signs of a person gets them once, when it is at rest for the first time", async () => {
  const document = { number: 1, shown: 0 };
  const parts = {
    page: { url: () => "http://site.example/", workers: () => [] },
    clock: { frame: async () => {}, pass: async () => {} },
    network: { started: 0, forgetPolls: () => false, isReceiving: () => false, isStreaming: () => false },
    main: document,
    frames: { mayRefresh: false },
    onPassed: async () => {},
    look: async () => ({ ...state, moves: 1, timerMs: NO_TIMER }),
    showPerson: async () => {
      document.shown += 1;
    },
  };
  const settler = new Settler(parts as unknown as Parts);
  await settler.settle({ early: true });
  expect(document.shown).toBe(0);
  await settler.settle();
  await settler.settle({ acted: true });
  expect(document.shown).toBe(1);
  document.number = 2;
  await settler.settle();
  expect(document.shown).toBe(2);
});
