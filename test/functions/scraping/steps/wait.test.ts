import { expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { startOnPage } from "./on-page.ts";

const { onPage, site } = await startOnPage();

/** A text that changes after a while, which the page notes. */
const changing = (before: string, after: string) =>
  `<div id=place>${before}</div><script>setTimeout(() => { place.innerHTML = ${JSON.stringify(after)}; note("changed"); }, 400)</script>`;

test.concurrent.each<[string, string, Step]>([
  [
    "a text, also one in several elements",
    changing("", "<p>There are <b>12</b>\n results</p>"),
    { type: "wait", text: "12 Results" },
  ],
  [
    "a text that is there but hidden",
    changing("<p hidden>Done</p>", "<p>Done</p>"),
    { type: "wait", text: "Done" },
  ],
  [
    "a text to go away",
    changing("<p>Loading…</p>", "<p hidden>Loading…</p>"),
    { type: "wait", text: "loading", gone: true },
  ],
  [
    "an element to go away",
    changing("<i class=spinner>◌</i><i class=spinner>◌</i>", ""),
    { type: "wait", selector: ".spinner", gone: true },
  ],
])("waits for %s", async (_, html, step) => {
  const told = await onPage(html, step);
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("changed;");
});

test.concurrent("what was never there is gone, and so is what was in a frame that is gone", async () => {
  const told = await onPage(
    "",
    { type: "wait", text: "Loading", gone: true },
    { type: "wait", selector: ".spinner", gone: true },
    { type: "wait", selector: ".spinner", frame: "#none", gone: true },
  );
  expect(told.failure).toBeUndefined();
});

test.concurrent("waits in a frame", async () => {
  site.setRoute("/late", changing("", "<p>Ready</p>").replace('note("changed");', ""));
  const ready = await onPage(`<iframe src="/late"></iframe>`, {
    type: "wait",
    text: "Ready",
    frame: "iframe",
  });
  expect(ready.failure).toBeUndefined();
});

const quick = { timeout_ms: 1_500 };
test.concurrent.each<[Step, string, string]>([
  [{ type: "wait", text: "Ready", ...quick }, "element_not_found", 'The text "Ready" did not appear on'],
  [{ type: "wait", text: "Busy", gone: true, ...quick }, "timeout", 'The text "Busy" is still visible on'],
  [{ type: "wait", selector: "p", gone: true, ...quick }, "timeout", "What matches p is still visible on"],
])("waits in vain: %j", async (step, code, message) => {
  const { failure } = await onPage("<p>Busy</p>", step);
  expect(failure).toMatchObject({ code, step: 1, message: expect.stringContaining(message) });
  expect((await onPage("<p>Busy</p>", { ...step, optional: true } as Step)).failure).toBeUndefined();
});

test.concurrent("an invalid selector is reported", async () => {
  const { failure } = await onPage("", { type: "wait", selector: "p[", gone: true, ...quick });
  expect(failure).toMatchObject({
    code: "invalid_step",
    message: expect.stringContaining("p[ is not a valid"),
  });
});
