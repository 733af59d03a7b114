import { join } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * Runs pages of the corpus (test/pages) in the process that Stryker starts, with the same browsers for all changes of the
 * source: a process and browsers for each of them would take longer than the pages. Stryker ends the process if a change
 * makes them run too long, and starts another one. A change of what is evaluated when a module loads has no effect.
 */

/** Pages at a time. */
const JOBS = 6;
/** How long a page may take. Many changes make one wait until all the time of a step is used up. */
const PAGE_MS = 30_000;

/** What the configuration says. The libraries of Stryker, which have types of the rest, may not be installed. */
interface Options {
  /** The beginnings of the names of the pages. */
  pages: string[];
}

type Runner = typeof import("../pages/runner/run-all.ts");
type Loader = typeof import("../pages/runner/load.ts");
type Places = Awaited<ReturnType<Runner["openPlaces"]>>;
type Result = Awaited<ReturnType<Places["run"]>>[number];
type Case = Awaited<ReturnType<Loader["loadCases"]>>[number];

/** Where the changed source looks which change is on. It keeps this object. */
const stryker: { activeMutant?: string | undefined } = {};
Object.assign(globalThis, { __stryker__: stryker });

class PagesRunner {
  readonly #pages: string[];
  #cases: Case[] = [];
  #places: Places | undefined;

  constructor({ pages }: Options) {
    this.#pages = pages;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    // Of Stryker's copy of the source.
    const load = (name: string) => import(pathToFileURL(join(process.cwd(), "test/pages/runner", name)).href);
    const { loadCases }: Loader = await load("load.ts");
    const { openPlaces }: Runner = await load("run-all.ts");
    const cases = await loadCases();
    this.#cases = cases
      .filter(
        ({ name, page }) => page.slow === undefined && this.#pages.some((part) => name.startsWith(part)),
      )
      .map(({ name, page }) => ({ name, page: { deadlineMs: PAGE_MS, ...page } }));
    this.#places = await openPlaces(JOBS);
  }

  async dryRun() {
    const results = await this.#run(this.#cases, undefined, () => true);
    const tests = results.map(({ name, ms, differences }) => ({
      ...{ id: name, name, timeSpentMs: ms / JOBS },
      ...(differences.length > 0 ? { status: 1, failureMessage: differences.join("; ") } : { status: 0 }),
    }));
    return { status: "complete", tests };
  }

  async mutantRun({ activeMutant: { id } }: { activeMutant: { id: string } }) {
    let left = this.#cases;
    for (;;) {
      const results = await this.#run(left, id, (result) => !isFailed(result));
      const failed = results.filter(isFailed);
      if (failed.length === 0) return { status: "survived", nrOfTests: this.#cases.length };
      // By itself: on a busy machine, a page among others may be too slow.
      for (const { name } of failed) {
        const [again] = await this.#run(left.filter(isNamed(name)), id, () => true);
        if (again === undefined || !isFailed(again)) continue;
        const failureMessage = `${name}: ${again.differences.join("; ")}`;
        return { status: "killed", killedBy: [name], failureMessage, nrOfTests: this.#cases.length };
      }
      left = left.filter(({ name }) => !results.some(isNamed(name)));
    }
  }

  async dispose() {
    await this.#places?.close();
  }

  async #run(cases: Case[], mutant: string | undefined, onResult: Parameters<Places["run"]>[1]) {
    stryker.activeMutant = mutant;
    return (await this.#places?.run(cases, onResult)) ?? [];
  }
}

const isFailed = ({ differences }: Pick<Result, "differences">) => differences.length > 0;
const isNamed =
  (wanted: string) =>
  ({ name }: Pick<Case, "name">) =>
    name === wanted;

const createRunner = Object.assign((options: Options) => new PagesRunner(options), {
  inject: ["options"] as const,
});

export const strykerPlugins = [{ kind: "TestRunner", name: "pages", factory: createRunner }];
