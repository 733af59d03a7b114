import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { Row } from "../../functions/contract/runs/run.ts";
import type { WidgetSite } from "../../test/widgets/server.ts";
import { SITE, type Task } from "../../test/widgets/task.ts";
import { list } from "../../test/widgets/tasks/definitions.ts";
import { tasks } from "../../test/widgets/tasks/index.ts";

/** A page that is read, and its site. */
export interface Subject {
  set: "widgets" | "reports" | "control";
  task: Task;
  /** The page can't give all rows that a reader could expect, so that a reading has to say so. */
  isIncomplete?: boolean;
  /** A site for one reading: what a site remembers of one reader must not change what the next one gets. */
  open(): Promise<Site>;
}

interface Site {
  origin: string;
  close(): void;
}

/** The pages of test/widgets. Their site remembers nothing, so all readings share it. */
export const widgetPages = ({ origin }: WidgetSite): Subject[] =>
  tasks.map((task) => ({ set: "widgets", task, open: async () => ({ origin, close() {} }) }));

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL, state: object) => unknown;

async function serve(answer: Answer): Promise<Site> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", state.base);
    if (url.pathname === "/robots.txt" || url.pathname === "/favicon.ico") {
      response.writeHead(404).end();
      return;
    }
    try {
      await answer(request, response, url, state);
    } catch {
      response.destroy();
    }
  }).listen(0, "localhost");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const state = { base: `http://localhost:${port}`, port, hits: [] };
  return {
    origin: state.base,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What `expected.json` of a case has, or what `expected.mjs` exports or returns. */
interface Expected {
  rows: Row[];
  mustWarn?: boolean;
}

/**
 * Pages that are made after public bug reports: a folder `NAME` for each, with `server.mjs`, `scraper.json`, which is what a
 * user writes first, and `expected.json` or `expected.mjs`. Cases whose server does not start are named on the error output.
 */
export async function reportPages(folder: string): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const name of readdirSync(folder).sort()) {
    const path = (file: string) => join(folder, name, file);
    const load = (file: string) => import(pathToFileURL(path(file)).href);
    if (!existsSync(path("server.mjs"))) continue;
    try {
      const { default: answer } = (await load("server.mjs")) as { default: Answer };
      const { rows, mustWarn } = existsSync(path("expected.mjs"))
        ? expectedOf((await load("expected.mjs")).default)
        : (JSON.parse(readFileSync(path("expected.json"), "utf8")) as Expected);
      const definition = JSON.parse(readFileSync(path("scraper.json"), "utf8").replaceAll("{{base}}", SITE));
      const task = { ...reportTask({ ...definition, name }), expected: rows };
      subjects.push({ set: "reports", task, isIncomplete: mustWarn ?? false, open: () => serve(answer) });
    } catch (error) {
      console.error(`The page ${name} is left out: ${(error as Error).message}`);
    }
  }
  return subjects;
}

const expectedOf = (value: Expected | ((base: string) => Expected)): Expected =>
  typeof value === "function" ? value(SITE) : value;

function reportTask(scraper: Pick<Task, "name" | "steps" | "pagination">): Omit<Task, "expected"> {
  const { steps, pagination } = scraper;
  const [first] = steps;
  const template =
    pagination?.type === "url_template" ? pagination.url.replaceAll("{page}", "1") : `${SITE}/`;
  const acts = steps.filter((step) => step.type === "click" || step.type === "write_input");
  return {
    ...scraper,
    library: "report",
    page: (first?.type === "visit" ? first.url : template).slice(SITE.length + 1),
    steps: steps.filter((step) => step !== first || step.type !== "visit"),
    ...(acts.length > 0 && { act: (page) => perform(page, acts) }),
  };
}

/** Does the steps as a script does: it finds buttons and fields by their names. */
async function perform(
  page: Page,
  acts: readonly { type: string; field_name?: string | undefined; value?: unknown }[],
): Promise<void> {
  for (const { type, field_name: name = "", value } of acts) {
    if (type === "click") await page.getByRole("button", { name, exact: true }).click();
    else await page.getByLabel(name).fill(String(value));
  }
}

const lamps: Row[] = Array.from({ length: 6 }, (_, index) => ({
  name: `Lamp ${index + 1}`,
  price: `€ ${10 + index}.00`,
}));
const items = lamps.map(({ name, price }) => `<li><b>${name}</b> <i>${price}</i></li>`).join("");
const controls: Record<string, string> = {
  static: `<ul>${items}</ul>`,
  scripted: `<ul></ul><script>setTimeout(() => (document.querySelector("ul").innerHTML = ${JSON.stringify(items)}), 300)</script>`,
};

/** A static and a scripted page that every library reads right: if one does not, its adapter is wrong. */
export const controlPages = (): Subject[] =>
  Object.entries(controls).map(([name, html]) => ({
    set: "control",
    task: {
      name,
      library: "none",
      page: "",
      steps: [list("ul > li", { name: "b", price: "i" })],
      expected: lamps,
    },
    open: () =>
      serve((_request, response) => {
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
      }),
  }));
