import { createInterface } from "node:readline/promises";
import type { SessionView } from "../../functions/contract/session.ts";
import { stateAfterSignIn, WindowFailed } from "../../functions/scraping/browser/sign-in-window.ts";
import { connect } from "../client/api.ts";
import type { Where } from "../client/target.ts";
import { UsageError } from "../data-folder.ts";
import { tableOf } from "../table-of.ts";
import { confirm } from "../terminal/confirm.ts";
import { note, print, printJson } from "../terminal/print.ts";

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

/** Opens a browser at an address, waits until the person has signed in, and stores the cookies and the local storage. */
export async function signIn(
  name: string,
  url: string,
  { browser, json, ...where }: Options & { browser?: string },
): Promise<void> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new UsageError(`"${url}" is no address. Write it with https:// or http://.`);
  const api = await connect(where);
  const state = await stateAfterSignIn(url, browser, enterPressed).catch((cause) => {
    throw cause instanceof WindowFailed ? new UsageError(cause.message, { cause }) : cause;
  });
  if (state.cookies.length === 0 && state.origins.length === 0)
    throw new UsageError(
      "The site has set no cookies, so nothing was stored. Sign in before you press Enter.",
    );
  const { body } = await api.json<SessionView>(pathOf(name), { method: "PUT", body: state });
  if (json) return printJson(body);
  print(
    `Stored the session "${body.name}" with the cookies of ${body.hosts.join(", ")}. A scraper uses it with "session": { "name": "${body.name}", "check": { "text": "…" } }.`,
  );
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
