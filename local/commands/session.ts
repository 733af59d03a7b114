import { createInterface } from "node:readline/promises";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import type {
  SessionSettings,
  SessionState,
  SessionView,
} from "../../functions/contract/sessions/session.ts";
import type { StepOf } from "../../functions/contract/steps/steps.ts";
import { openSignInWindow } from "../../functions/scraping/browser/sign-in-window.ts";
import { WindowFailed } from "../../functions/scraping/browser/window-failed.ts";
import { type Api, connect } from "../client/api.ts";
import { inspect } from "../client/inspections.ts";
import type { Where } from "../client/target.ts";
import { CommandError, EXIT } from "../command-error.ts";
import { UsageError } from "../data/data-folder.ts";
import { tableOf } from "../table-of.ts";
import { confirm } from "../terminal/confirm.ts";
import { note, print, printJson } from "../terminal/print.ts";
import { working } from "../terminal/working.ts";

interface Options extends Where {
  json?: boolean;
}

const pathOf = (name: string) => `/v1/sessions/${encodeURIComponent(name)}`;

/** Lists the kept sign-ins of the account. */
export async function list({ json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const { data } = await api.get<{ data: SessionView[] }>("/v1/sessions");
  if (json) return printJson(data);
  if (data.length === 0) return print("The account has no sessions yet.");
  print(
    tableOf(
      ["name", "hosts", "saved"],
      data.map(({ name, hosts, saved_at }) => [name, hosts.join(", "), saved_at]),
    ),
  );
}

export async function remove(
  name: string,
  { yes, json, ...where }: Options & { yes?: boolean },
): Promise<void> {
  const api = await connect(where);
  await confirm(`Permanently delete the session "${name}" at ${api.target.url}?`, yes);
  await api.json(pathOf(name), { method: "DELETE" });
  if (json) return printJson({ name, deleted: true });
  print(`Deleted the session "${name}". Scrapers that use it sign in anew.`);
}

/** How a scraper checks a session: the page that it opens first, and what that has for signed-in visitors. */
type Checked = Pick<Scraper, "proxy"> & { visit: StepOf<"visit">; check: SessionSettings["check"] };

/**
 * Opens the first pages of the scrapers that use a session, with its cookies, and does not sign in. The exit code is 1 if a
 * page shows that the session is signed out.
 */
export async function check(name: string, { json, ...where }: Options): Promise<void> {
  const api = await connect(where);
  const results = [];
  for (const checked of await checksOf(api, name)) {
    const { visit, proxy, check } = checked;
    const definition = { name: "Check of a session", steps: [visit], proxy, session: { name, check } };
    const asked = inspect(api, { definition, want: [] });
    const { ok, error } = await working(`Opening ${visit.url}`, asked);
    if (!ok && error?.code !== "session_expired")
      throw new CommandError(EXIT.failed, error?.message ?? "The page could not be opened.");
    results.push({ url: visit.url, check, signed_in: ok });
  }
  if (results.some(({ signed_in }) => !signed_in)) process.exitCode = EXIT.failed;
  if (json) return printJson(results);
  for (const { url, check, signed_in } of results) {
    const what = check.text === undefined ? `what ${check.selector} finds` : `the text "${check.text}"`;
    print(
      `${signed_in ? "Signed in" : "Signed out"}: ${url} ${signed_in ? "has" : "does not have"} ${what}.`,
    );
  }
  if (process.exitCode === EXIT.failed)
    print("The next run signs in by the steps of its session, if it has some.");
}

/** How the account's scrapers check a session, each way once. */
async function checksOf(api: Api, name: string): Promise<Checked[]> {
  const { data: sessions } = await api.get<{ data: SessionView[] }>("/v1/sessions");
  if (!sessions.some((session) => session.name === name))
    throw new CommandError(
      EXIT.notFound,
      `There is no session "${name}". \`npx gleaner session list\` shows those there are.`,
    );
  const checks = new Map<string, Checked>();
  for await (const { steps, session, proxy } of api.list<Scraper>("/v1/scrapers")) {
    const [visit] = steps;
    if (session?.name !== name || visit?.type !== "visit") continue;
    const checked = { visit, proxy, check: session.check };
    checks.set(JSON.stringify([visit.url, proxy, session.check]), checked);
  }
  if (checks.size > 0) return [...checks.values()];
  throw new CommandError(
    EXIT.failed,
    `No scraper uses the session "${name}", so nothing says what only a signed-in visitor sees. Store a scraper with "session": { "name": "${name}", "check": { "text": "…" } }.`,
  );
}

/** Opens a browser at an address, waits until the person has signed in, and stores the cookies and the local storage. */
export async function signIn(
  name: string,
  url: string,
  { browser, json, ...where }: Options & { browser?: string },
): Promise<void> {
  const api = await connect(where);
  const state = await stateOf(url, browser).catch((cause) => {
    throw cause instanceof WindowFailed ? new UsageError(cause.message, { cause }) : cause;
  });
  const { body } = await api.json<SessionView>(pathOf(name), { method: "PUT", body: state });
  if (json) return printJson(body);
  print(
    `Stored the session "${body.name}" with the cookies of ${body.hosts.join(", ")}. A scraper uses it with "session": { "name": "${body.name}", "check": { "text": "…" } }.`,
  );
}

async function stateOf(url: string, executablePath: string | undefined): Promise<SessionState> {
  const window = await openSignInWindow(url, { executablePath, handlesSignals: true });
  try {
    await enterPressed();
    return await window.state();
  } finally {
    await window.close();
  }
}

async function enterPressed(): Promise<void> {
  note("Sign in in the window that has opened. When you are signed in, press Enter here.");
  const terminal = createInterface({ input: process.stdin });
  try {
    await terminal.question("");
  } finally {
    terminal.close();
  }
}
