import { CUT_AT } from "../proposals/snapshot.ts";
import { RunFailure } from "../runs/failure.ts";
import type { PageCapture } from "../scraping/page/pictures/capture.ts";
import { ComputationEnded, Thread } from "../threads/thread.ts";

/** The time for the search in one batch of rows, one capture or one request. Ordinary ones take some milliseconds. */
const SEARCH_MS = 10_000;
/** Larger requests count as not readable, in characters. */
const REQUEST_MAX = 10_000_000;

/** Searches for the secrets of a run in what comes from pages, in a thread of its own. */
export class SecretSearch implements AsyncDisposable {
  readonly #thread = new Thread();
  readonly #secrets: [name: string, value: string][];

  constructor(secrets: ReadonlyMap<string, { value: string }>) {
    this.#secrets = [...secrets].map(([name, { value }]) => [name, value]);
    this.#thread.start();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }

  /**
   * The same value without secrets in its texts.
   * @param cutAt the lengths at which texts were cut
   * @throws RunFailure if the search takes too long
   */
  hidden<Value>(value: Value, cutAt: number[] = []): Promise<Value> {
    const input = { secrets: this.#secrets, value, cutAt };
    return this.#inTime(this.#thread.run("hide", input, SEARCH_MS)) as Promise<Value>;
  }

  /** The indexes of the texts that have a secret. @throws RunFailure if the search takes too long */
  async indexesIn(texts: readonly string[]): Promise<number[]> {
    const hidden = await this.hidden(texts);
    return [...texts.keys()].filter((index) => hidden[index] !== texts[index]);
  }

  /** A capture of a page without secrets in its texts. @throws RunFailure if the search takes too long */
  async hiddenCapture({ url, snapshot }: Pick<PageCapture, "url" | "snapshot">) {
    const input = { secrets: this.#secrets, snapshot };
    return {
      url: await this.hidden(url, [CUT_AT.address]),
      snapshot: await this.#inTime(this.#thread.run("hideInSnapshot", input, SEARCH_MS)),
    };
  }

  /**
   * Changes the texts of errors in place, with their causes. Also removes the beginnings of secrets.
   * @throws RunFailure if the search takes too long
   */
  async hideIn<Errors>(errors: Errors): Promise<Errors> {
    const texts = textsOf(errors);
    if (texts.length === 0) return errors;
    const messages = texts.map(({ text }) => text);
    const hidden = await this.#inTime(
      this.#thread.run("hideInMessages", { secrets: this.#secrets, messages }, SEARCH_MS),
    );
    for (const [index, { replace }] of texts.entries()) replace(hidden[index] ?? "");
    return errors;
  }

  /** The names of the secrets that the parts of a request carry; undefined if that can't be found out. */
  async carriedBy(parts: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const text = parts.join("\n");
    if (text.length > REQUEST_MAX) return undefined;
    try {
      return new Set(await this.#thread.run("find", { secrets: this.#secrets, text }, SEARCH_MS));
    } catch (error) {
      if (error instanceof ComputationEnded) return undefined;
      throw error;
    }
  }

  async #inTime<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (cause) {
      if (!(cause instanceof ComputationEnded)) throw cause;
      throw new RunFailure(
        "too_large",
        "To search for secrets in what the page shows takes too much time or memory. Read fewer fields, or fewer rows on a page.",
      );
    }
  }
}

/** A text that belongs to an error. */
interface HeldText {
  text: string;
  replace(text: string): void;
}

/** Every text that the log would contain for an error, its properties and its causes. */
function textsOf(value: unknown): HeldText[] {
  const texts: HeldText[] = [];
  collect(value, texts, new Set());
  return texts;
}

function collect(value: unknown, texts: HeldText[], seen: Set<unknown>): void {
  if (!isError(value) && !Array.isArray(value) && !isPlain(value)) return;
  if (seen.has(value)) return;
  seen.add(value);
  for (const key of Object.getOwnPropertyNames(value)) {
    const held: unknown = Reflect.get(value, key);
    if (typeof held !== "string") collect(held, texts, seen);
    else texts.push({ text: held, replace: (text) => void Reflect.set(value, key, text) });
  }
}

const isError = (value: unknown): value is Error => value instanceof Error;
const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
