import { createHash, hash } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Readable } from "node:stream";
import { FILE_BYTES, FILES } from "../../contract/runs/file.ts";
import type { Row } from "../../contract/runs/run.ts";
import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { cookiesToSet } from "../http/cookies.ts";
import { createHttpClient, type HttpClient, type HttpStream } from "../http/http-client.ts";
import type { BatchFile, FileSink } from "../job.ts";
import { DOCUMENTS, DOWNLOADS } from "../limits.ts";
import { detailAddress } from "../lists/detail-page.ts";
import { checkDocument, pageLost, unreachable } from "../page/document.ts";
import { HostBusy } from "../politeness/pace.ts";
import type { Session } from "../session.ts";
import { FILE_BACKOFF_MS, FILE_MS, LEAST_MS } from "../timing.ts";
import { fileName, fileType, isPageInstead } from "./file-name.ts";

/** Failures that say nothing about the file. */
const NOT_OF_FILE = new Set<string>(["internal_error", "browser_failed", "page_crashed"]);

/** `page`: the page that names the file, against which a relative address is resolved. */
type Wanted = Pick<BatchFile, "row" | "url" | "key"> & { page: string };

/** Downloads the files that a field of a list's rows names, each address once in a run. */
export class FileDownloads {
  readonly #session: Session;
  readonly #sink: FileSink;
  readonly #client: HttpClient;
  readonly #field: string;
  readonly #pageOf: (row: Row, page: string) => string;
  readonly #maxBytes: number;
  readonly #index: number;

  /** Undefined if the list names no files, or if nothing stores them. */
  static of(session: Session, step: StepOf<"get_list">, index: number): FileDownloads | undefined {
    const { files: sink } = session;
    return step.files && sink && new FileDownloads(session, step, step.files, index, sink);
  }

  private constructor(
    session: Session,
    step: StepOf<"get_list">,
    { field, max_bytes }: NonNullable<StepOf<"get_list">["files"]>,
    index: number,
    sink: FileSink,
  ) {
    this.#session = session;
    this.#sink = sink;
    this.#client = createHttpClient(session.egress.proxyUrl);
    this.#field = field;
    const isDetail = step.details?.fields.some(({ name }) => name === field);
    this.#pageOf = (row, page) => (isDetail && detailAddress(row, step, page)) || page;
    this.#maxBytes = max_bytes ?? FILE_BYTES.absent;
    this.#index = index;
  }

  /**
   * Downloads the files of rows that no row before names.
   * @param page the address of the page that the rows are from
   * @throws RunFailure if the run ends or pauses; a file that can't be downloaded has its error
   */
  async download(rows: readonly Row[], page: string): Promise<BatchFile[]> {
    const wanted = this.#wanted(rows, page);
    const room = Math.max(0, FILES.count - this.#sink.count);
    if (wanted.length > room) this.#warn(wanted.length - room, tooMany);
    const files = await Promise.all(wanted.slice(0, room).map((file) => this.#downloadOne(file)));
    const failed = files.flatMap(({ content }) => ("error" in content ? [content.error] : []));
    if (failed[0] !== undefined)
      this.#warn(failed.length, `Some files could not be downloaded. The first: ${failed[0]}`);
    return files;
  }

  close(): void {
    this.#client.close();
  }

  /** The addresses that are new, with the first row that has each. */
  #wanted(rows: readonly Row[], page: string): Wanted[] {
    const wanted = new Map<string, Wanted>();
    for (const [row, values] of rows.entries()) {
      const { [this.#field]: url = "" } = values;
      if (url.trim() === "") continue;
      const from = this.#pageOf(values, page);
      // Rows find their file by the address as they have it, so another spelling of it counts as another one.
      const key = hash("sha256", `${url}\n${URL.parse(url.trim(), from)?.href}`).slice(0, 32);
      if (!wanted.has(key) && !this.#sink.has(key)) wanted.set(key, { row, url, key, page: from });
    }
    return [...wanted.values()];
  }

  async #downloadOne({ page, ...wanted }: Wanted): Promise<BatchFile> {
    const file = { ...wanted, field: this.#field };
    const address = URL.parse(wanted.url.trim(), page);
    const name = address === null ? "file" : fileName(address.href, undefined);
    if (address === null || !/^https?:$/.test(address.protocol)) {
      const shown = wanted.url.slice(0, 100).toWellFormed();
      return {
        ...file,
        name: "file",
        content: { error: `"${shown}" is not an address of a file on the web.` },
      };
    }
    try {
      return { ...file, ...(await this.#repeated(wanted.key, address.href, page)) };
    } catch (error) {
      if (!(error instanceof RunFailure) || this.#endsRun(error)) throw error;
      return { ...file, name, content: { error: error.message } };
    }
  }

  /** Whether a failure is none of the file: the run is to end or to pause. */
  #endsRun(failure: RunFailure): boolean {
    const isOutOfTime = this.#session.budget.remaining() < LEAST_MS.detail;
    return failure instanceof HostBusy || NOT_OF_FILE.has(failure.code) || isOutOfTime;
  }

  /** Downloads a file, again after temporary failures. */
  async #repeated(key: string, url: string, page: string): Promise<Pick<BatchFile, "name" | "content">> {
    const { budget, politeness } = this.#session;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(key, url, page);
      } catch (error) {
        const backoff = FILE_BACKOFF_MS[attempt];
        if (!(error instanceof RunFailure) || !error.transient || NOT_OF_FILE.has(error.code)) throw error;
        await politeness.backOff(url, error);
        if (backoff === undefined || backoff > budget.remaining() / 2) throw error;
        if (error.retryAfterMs === undefined) await budget.pause(backoff);
      }
    }
  }

  async #attempt(key: string, url: string, referrer: string): Promise<Pick<BatchFile, "name" | "content">> {
    const signal = AbortSignal.timeout(Math.ceil(this.#session.budget.cut(FILE_MS)));
    // Each redirect and each stage of decompression listens.
    setMaxListeners(0, signal);
    const answer = await requestFile(this.#session, this.#client, { url, referrer, signal });
    try {
      return await this.#store(key, answer, signal);
    } finally {
      answer.body.destroy();
    }
  }

  async #store(
    key: string,
    { url, headers, body }: FileAnswer,
    signal: AbortSignal,
  ): Promise<Pick<BatchFile, "name" | "content">> {
    const declared = headers["content-type"];
    const room = FILES.bytes - this.#sink.bytes;
    const limit = Math.min(this.#maxBytes, room);
    if (Number(headers["content-length"] ?? 0) > limit && headers["content-encoding"] === undefined)
      throw this.#tooLarge(url, room);
    const digest = createHash("sha256");
    let bytes = 0;
    let head = Buffer.alloc(0);
    const session = this.#session;
    const tooLarge = () => this.#tooLarge(url, room);
    const checked = async function* () {
      for await (const chunk of arriving(body, url, signal)) {
        bytes += chunk.length;
        if (bytes > limit) throw tooLarge();
        if (head.length < DOWNLOADS.head) head = Buffer.concat([head, chunk.subarray(0, DOWNLOADS.head)]);
        digest.update(chunk);
        yield chunk;
      }
      if (bytes === 0) throw instead(url, "nothing: the file is empty");
      if (isPageInstead(fileType(head, declared), url, declared)) throw instead(url, "a web page");
    };
    try {
      await this.#sink.put(key, checked());
    } finally {
      session.countTraffic(bytes);
    }
    const { type, extension } = fileType(head, declared);
    return {
      name: fileName(url, headers["content-disposition"], extension),
      content: { bytes, type, sha256: digest.digest("hex") },
    };
  }

  #tooLarge(url: string, room: number): RunFailure {
    return new RunFailure(
      "too_large",
      room < this.#maxBytes
        ? `${url} was not downloaded: the files of the run are larger than ${FILES.bytes} bytes together. Split the scraper.`
        : `${url} is larger than ${this.#maxBytes} bytes. Set "max_bytes" of the list's files to take larger ones, up to ${FILE_BYTES.most} bytes.`,
    );
  }

  #warn(count: number, message: string): void {
    const step = this.#index;
    this.#session.warnings.add({ code: "files_missing", message, step, field: this.#field, count });
  }
}

const tooMany = `A run downloads at most ${FILES.count} files, so the files of further rows are missing. Split the scraper.`;

const instead = (url: string, what: string) =>
  new RunFailure(
    "http_error",
    `${url} answered with ${what} in place of a file. Open the address: it may need a sign-in, or the file may be gone.`,
  );

/** @throws RunFailure if the transfer breaks off or takes too long */
async function* arriving(
  body: AsyncIterable<Buffer>,
  url: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (cause) {
    if (!signal.aborted) throw pageLost(url, "its transfer was cut off");
    throw new RunFailure("timeout", `${url} did not arrive within ${FILE_MS / 1_000} seconds.`, { cause });
  }
}

const NOTHING = Buffer.alloc(0);

/** A file that is arriving. */
interface FileAnswer {
  /** The address after all redirects. */
  url: string;
  headers: Record<string, string>;
  /** Decompressed. Has to be read or destroyed. */
  body: Readable;
}

/**
 * Requests a file as an image or a link of a page would be, with the redirects of its address. Each request waits for its
 * host's turn, and gets the cookies and the access of its own host only.
 * @param referrer the page that names it
 * @throws RunFailure
 */
async function requestFile(
  session: Session,
  client: HttpClient,
  { url: address, referrer, signal }: { url: string; referrer: string; signal: AbortSignal },
): Promise<FileAnswer> {
  let url = address;
  for (let redirects = 0; redirects <= DOCUMENTS.chain; redirects += 1) {
    const answer = await askPolitely(session, client, { url, referrer, signal });
    const { status, headers, body } = answer;
    const location = status >= 300 && status < 400 ? headers.location : undefined;
    if (location === undefined) return { url, headers, body };
    body.destroy();
    const next = URL.parse(location, url);
    if (next === null || !/^https?:$/.test(next.protocol))
      throw notReached(session, url, "it redirects to an invalid web address");
    url = next.href;
  }
  throw notReached(session, address, "it redirects endlessly");
}

interface Asked {
  url: string;
  referrer: string;
  signal: AbortSignal;
}

/** @throws RunFailure where there is no answer, or an error */
async function askPolitely(session: Session, client: HttpClient, asked: Asked): Promise<HttpStream> {
  const { url } = asked;
  const { politeness, egress } = session;
  let answer: HttpStream | undefined;
  try {
    answer = await politeness.load(url, "site", () => askWithAccess(session, client, asked));
    await politeness.arrived(url, "site");
    checkAnswer(session, url, answer);
    return answer;
  } catch (error) {
    answer?.body.destroy();
    // A host that must not be reached has no robots.txt either.
    if (egress.wasRefused(url)) checkAnswer(session, url, { error: "refused" });
    throw error;
  }
}

/** @throws RunFailure for an error, or where nothing answered */
function checkAnswer(
  { egress }: Session,
  url: string,
  answer: Pick<HttpStream, "status" | "statusText" | "headers"> | { error: string },
): void {
  const none = { status: 0, statusText: "", headers: {}, error: undefined };
  checkDocument({ ...none, ...answer, url, method: "GET", type: "" }, { egress, acceptStatus: [] });
}

/** Asks again with the credentials of the scraper's own hosts, if the server wants some. */
async function askWithAccess(session: Session, client: HttpClient, asked: Asked): Promise<HttpStream> {
  const answer = await ask(session, client, asked);
  const isAsked = answer.status === 401 && /^basic\b/i.test(answer.headers["www-authenticate"] ?? "");
  const credentials = isAsked ? session.requests.access?.credentialsFor?.(asked.url) : undefined;
  if (credentials === undefined) return answer;
  answer.body.destroy();
  const { username, password } = credentials;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return ask(session, client, asked, { authorization });
}

async function ask(
  session: Session,
  client: HttpClient,
  { url, referrer, signal }: Asked,
  more: Record<string, string> = {},
): Promise<HttpStream> {
  const cookies = await session.cookiesFor(url);
  const referer = refererFor(referrer, url);
  const headers = {
    "user-agent": session.userAgent,
    accept: "*/*",
    "accept-language": "en-US,en;q=0.9",
    "accept-encoding": "gzip, deflate, br",
    ...(referer && { referer }),
    ...(cookies.length > 0 && { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") }),
    ...session.requests.access?.headersFor(url),
    ...more,
  };
  const sent = url.replace(/#.*/s, "");
  const refused = await session.requests.judge({ url: sent, headers: Object.values(headers), body: NOTHING });
  if (refused) throw refused;
  try {
    const answer = await client.open(sent, headers, signal);
    // What only a browser can judge is no cookie that files need.
    const set = async () => session.setCookies(cookiesToSet(answer.cookies, url));
    if (answer.cookies.length > 0) await set().catch(() => {});
    return answer;
  } catch (error) {
    if (!signal.aborted) checkAnswer(session, url, { error: (error as Error).message });
    throw notReached(session, url, "the server did not answer in time");
  }
}

/** What browsers tell a server about the page that names the address, by default. */
function refererFor(page: string, url: string): string | undefined {
  const [from, to] = [URL.parse(page), new URL(url)];
  if (from === null || !/^https?:$/.test(from.protocol)) return undefined;
  if (from.protocol === "https:" && to.protocol === "http:") return undefined;
  return from.origin === to.origin ? `${from.origin}${from.pathname}${from.search}` : `${from.origin}/`;
}

const notReached = ({ egress }: Session, url: string, reason: string): RunFailure =>
  unreachable(url, reason, { via: egress.via, transient: false });
