import type { CDPSession } from "playwright-core";
import { RESPONSE } from "../../contract/steps/json-response.ts";
import { listOfLines, readObject } from "../../parse-json.ts";
import type { JsonText } from "../../proposals/snapshot.ts";
import { wildcardTest } from "../../wildcard.ts";
import { JSON_DATA } from "../limits.ts";
import { jsonCode } from "../page-script/bundles/json.ts";
import { type DataResponse, JSON_READER } from "../page-script/json/protocol.ts";
import { CALL_MS } from "../timing.ts";
import { JSON_LINES } from "./data-documents.ts";
import { responseText } from "./network/network-activity.ts";
import type { PageCalls } from "./page-calls.ts";

/** A response that has arrived, or is arriving; undefined: a script that has no JSON. */
interface Captured {
  /** What a later request has in common that asks for the same. */
  key: string;
  response: Promise<DataResponse | undefined>;
  /** The contexts whose JSON reader has it. */
  told: Set<number>;
}

interface Request extends Pick<DataResponse, "number" | "url" | "actions"> {
  key: string;
  isScript: boolean;
  /** Whether its content type is one of JSON Lines. */
  isLines?: boolean;
}

type Calls = Pick<PageCalls, "contextOf" | "evaluate" | "send" | "world">;
type OnRest = { onRest?: (() => Promise<void>) | undefined };

/** What a tab needs to read JSON: the JSON reader in its documents, and the responses that they get. */
export class PageJson {
  readonly #cdp: Pick<CDPSession, "send">;
  readonly #calls: Calls;
  #isOn = false;
  #added: Promise<unknown> | undefined;
  readonly #requests = new Map<string, Request>();
  #captured: Captured[] = [];
  #isWanted: ((url: string, isScript: boolean) => boolean) | undefined;
  #started = 0;
  #actions = 0;
  #characters = 0;

  constructor(cdp: Pick<CDPSession, "on" | "send">, calls: Calls) {
    this.#cdp = cdp;
    this.#calls = calls;
    cdp.on("Network.requestWillBeSent", ({ requestId, request, type = "" }) => {
      const isScript = type === "Script";
      if (!/^(XHR|Fetch|Script)$/.test(type) || !this.#isWanted?.(request.url, isScript)) return;
      this.#started += 1;
      const { url, method, postData } = request;
      // A long body is not told.
      const sent = request.hasPostData && postData === undefined ? requestId : (postData ?? "");
      const key = `${method} ${url} ${sent}`;
      this.#requests.set(requestId, { number: this.#started, url, key, isScript, actions: this.#actions });
    });
    cdp.on("Network.responseReceived", ({ requestId, response }) => {
      if (response.status >= 400) this.#requests.delete(requestId);
      const request = this.#requests.get(requestId);
      if (request) request.isLines = JSON_LINES.test(response.mimeType);
    });
    cdp.on("Network.loadingFailed", ({ requestId }) => void this.#requests.delete(requestId));
    cdp.on("Network.loadingFinished", ({ requestId }) => {
      const request = this.#requests.get(requestId);
      if (!request) return;
      this.#requests.delete(requestId);
      const { key, isScript, isLines, ...rest } = request;
      const response = this.#textOf(requestId).then((text) => {
        if (isScript && (text === null || !readObject(text))) return undefined;
        // A single line is a list, too.
        const list = isLines && text !== null ? listOfLines(text) : undefined;
        return { ...rest, text: list ?? text };
      });
      this.#captured.push({ key, response, told: new Set() });
    });
    cdp.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.#captured = [];
      this.#characters = 0;
    });
  }

  /** Begins to keep the responses that are among these sources of JSON. */
  begin(sources: readonly string[]): void {
    this.#isOn = true;
    const tests = sources
      .filter((source) => source.startsWith(RESPONSE))
      .map((source) => wildcardTest(source.slice(RESPONSE.length)));
    if (tests.length > 0) this.#isWanted = (url) => tests.some((test) => test(url));
  }

  /** Notes that something is about to be done to the page. */
  acted(): void {
    this.#actions += 1;
  }

  /** Begins to keep all responses. */
  keepAll(): void {
    this.#isWanted = (_, isScript) => !isScript;
  }

  /** The responses that were kept, in at most so many characters. */
  async kept(characters: number): Promise<JsonText[]> {
    let left = characters;
    const texts: JsonText[] = [];
    for (const { response } of this.#captured) {
      const { url = "", text } = (await response) ?? {};
      if (text == null || text.length > left) continue;
      left -= text.length;
      texts.push({ source: `${RESPONSE}*${URL.parse(url)?.pathname ?? url}*`, text });
    }
    return texts;
  }

  /** The options of a call of the page script in a frame, which may read JSON. */
  async prepare<T extends OnRest>(frameId: string, options: T): Promise<T> {
    if (!this.#isOn) return options;
    this.#added ??= this.#calls.send("Page.addScriptToEvaluateOnNewDocument", {
      source: jsonCode,
      worldName: this.#calls.world,
      runImmediately: true,
    });
    await this.#added;
    const onRest = async () => {
      const contextId = await this.#calls.contextOf(frameId, CALL_MS);
      for await (const response of this.#untold(contextId))
        await this.#calls.evaluate(contextId, `${JSON_READER}.note(${JSON.stringify(response)})`);
      await options.onRest?.();
    };
    return { ...options, onRest };
  }

  /** What the JSON reader in a context has yet to be told. */
  async *#untold(contextId: number): AsyncGenerator<DataResponse> {
    const known = new Map<string, DataResponse>();
    for (const { key, response, told } of [...this.#captured]) {
      const arrived = await response;
      if (!arrived) continue;
      const { number, ...said } = arrived;
      const before = known.get(key);
      // A page may ask for the same again, to find out whether it has changed.
      const isSame = before && (before.text === said.text || before.actions === said.actions);
      const noted = { ...said, number: isSame ? before.number : number };
      known.set(key, noted);
      if (told.has(contextId)) continue;
      told.add(contextId);
      if (!isSame || before.text !== said.text) yield noted;
    }
  }

  /** Null if it is too large to be kept. */
  async #textOf(requestId: string): Promise<string | null> {
    try {
      const text = await responseText(this.#cdp, requestId);
      this.#characters += text.length;
      return text.length > JSON_DATA.characters || this.#characters > JSON_DATA.together ? null : text;
    } catch {
      // The browser keeps no response that is larger.
      return null;
    }
  }
}
