import { generateKeyPairSync, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { DeliveryOf } from "../../../../functions/contract/scrapers/delivery.ts";
import { applyChanges, type Cells, Refused, type Spreadsheet } from "./spreadsheet-model.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const EMAIL = "gleaner@shop.iam.gserviceaccount.com";
/** The file that Google makes of a key. Its token_uri must not be used. */
export const KEY_FILE = JSON.stringify({
  type: "service_account",
  project_id: "shop",
  private_key_id: "key-1",
  private_key: privateKey,
  client_email: EMAIL,
  token_uri: "https://attacker.example/token",
});
const SPREADSHEET = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde";

type Sheets = DeliveryOf<"google_sheets">;

export const settingsFor = (mode: Sheets["mode"], more: Partial<Sheets> = {}): Sheets => ({
  type: "google_sheets",
  spreadsheet: SPREADSHEET,
  sheet: "Prices",
  mode,
  secret: "sheets-key",
  ...more,
});

/** What happens to a request: it is not made, it is made and its answer is lost, or it is refused. */
export type Fault = "lost before" | "lost after" | { status: number; message?: string } | undefined;

/** The parts of Google's token endpoint and Sheets API v4 that deliveries use, as their references describe them. */
export async function startGoogle() {
  let book: Spreadsheet = { tabs: new Map(), names: new Map() };
  const requests: string[] = [];
  const tokens = new Set<string>();
  let judge: (request: string) => Fault | Promise<Fault> = () => undefined;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://google");
    const body = await text(request);
    const name = `${request.method} ${url.pathname.replace(`/v4/spreadsheets/${SPREADSHEET}`, "")}`;
    requests.push(name);
    const fault = await judge(name);
    if (fault === "lost before") return void response.destroy();
    if (typeof fault === "object")
      return answer(response, fault.status, {
        error: { code: fault.status, message: fault.message ?? "Later." },
      });
    try {
      const made =
        url.pathname === "/token"
          ? grant(body, url.href.replace("google", `${request.headers.host}`))
          : api(request, url, body);
      if (fault === "lost after") response.destroy();
      else answer(response, 200, made);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, message } = error;
      if (url.pathname === "/token")
        answer(response, status, { error: "invalid_grant", error_description: message });
      else answer(response, status, { error: { code: status, message, status: "INVALID_ARGUMENT" } });
    }
  });

  /** RFC 7523, and Google's description of service accounts. */
  function grant(body: string, address: string) {
    const form = new URLSearchParams(body);
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer")
      throw new Refused("Invalid grant.");
    const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    const signed = Buffer.from(`${head}.${claims}`);
    if (!verify("RSA-SHA256", signed, publicKey, Buffer.from(signature, "base64url")))
      throw new Refused("Invalid JWT Signature.");
    const { alg, typ, kid } = json(head);
    const { iss, scope, aud, iat, exp } = json(claims);
    const now = Date.now() / 1000;
    const isRight =
      [alg, typ, kid].join() === "RS256,JWT,key-1" &&
      iss === EMAIL &&
      scope === "https://www.googleapis.com/auth/spreadsheets" &&
      aud === address &&
      Math.abs(Number(iat) - now) < 60 &&
      Number(exp) > now &&
      Number(exp) - Number(iat) <= 3600;
    if (!isRight) throw new Refused(`Invalid JWT: ${Buffer.from(claims, "base64url")}`);
    const token = `token-${tokens.size + 1}`;
    tokens.add(token);
    return { access_token: token, expires_in: 3600, token_type: "Bearer" };
  }

  function api(request: IncomingMessage, url: URL, body: string) {
    const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    if (!tokens.has(token)) throw new Refused("Invalid credentials.", 401);
    const [, id, method = ""] = /^\/v4\/spreadsheets\/([\w-]+)(.*)$/.exec(url.pathname) ?? [];
    if (id !== SPREADSHEET) throw new Refused("Requested entity was not found.", 404);
    switch (`${request.method} ${method}`) {
      case "GET ":
        return {
          sheets: [...book.tabs].map(([sheetId, { title, rowCount, columnCount }]) => ({
            properties: { sheetId, title, gridProperties: { rowCount, columnCount } },
          })),
          ...(book.names.size > 0 && {
            namedRanges: [...book.names].map(([name, namedRangeId]) => ({ name, namedRangeId })),
          }),
        };
      case "GET /values:batchGet":
        return {
          valueRanges: url.searchParams.getAll("ranges").map((range) => valuesOf(range, url.searchParams)),
        };
      case "POST :batchUpdate": {
        const made = applyChanges(book, JSON.parse(body).requests);
        book = made.book;
        return { replies: made.replies };
      }
    }
    throw new Refused(`${request.method} ${method}`, 404);
  }

  function valuesOf(range: string, query: URLSearchParams) {
    const [, quoted = "", from = "", to] =
      /^'((?:[^']|'')*)'(?:!([A-Z]+|\d+):([A-Z]+|\d+))?$/.exec(range) ?? [];
    const tab = [...book.tabs.values()].find(({ title }) => title === quoted.replaceAll("''", "'"));
    if (tab === undefined || from !== (to ?? "")) throw new Refused(`Unable to parse range: ${range}`);
    if (query.get("valueRenderOption") !== "UNFORMATTED_VALUE")
      throw new Refused("Values would be formatted.");
    const rows = /^\d/.test(from) ? tab.cells.slice(Number(from) - 1, Number(from)) : tab.cells;
    const values = trimmed(
      rows.map((row) => trimmed(row.map((cell) => cell ?? ""))),
      (row) => row.length === 0,
    );
    if (query.get("majorDimension") === "ROWS") return values.length > 0 ? { values } : {};
    const column = columnOf(from);
    const one = trimmed(tab.cells.map((row) => row[column] ?? ""));
    return one.length > 0 ? { values: [one] } : {};
  }

  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    /** Requests have a few rows each. */
    google: { sheets: `http://${host}`, tokens: `http://${host}/token`, requestBytes: 2_000 },
    /** What was asked, in order. */
    requests,
    /** Decides what happens to the next requests. */
    onRequest: (next: typeof judge) => {
      judge = next;
    },
    /** Tokens that were given are valid no more. */
    revoke: () => tokens.clear(),
    /** The spreadsheet has these cells, by the titles of its tabs. */
    fill(tabs: Record<string, Cells>) {
      book = { tabs: new Map(), names: new Map() };
      for (const [index, [title, cells]] of Object.entries(tabs).entries())
        book.tabs.set(index, { title, hidden: false, cells, rowCount: 1000, columnCount: 26 });
    },
    /** The cells of a tab; undefined if there is none. */
    cells: (title: string) => [...book.tabs.values()].find((tab) => tab.title === title)?.cells,
    titles: () => [...book.tabs.values()].map(({ title, hidden }) => (hidden ? `(${title})` : title)),
    /** Makes changes as somebody else does. */
    change: (changes: Parameters<typeof applyChanges>[1]) => {
      book = applyChanges(book, changes).book;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

const columnOf = (letters: string) =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;

function trimmed<T>(list: T[], isEmpty: (item: T) => boolean = (item) => item === ("" as T)): T[] {
  return list.slice(0, list.findLastIndex((item) => !isEmpty(item)) + 1);
}

const json = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, "base64url").toString());

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const answer = (response: ServerResponse, status: number, body: object) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
