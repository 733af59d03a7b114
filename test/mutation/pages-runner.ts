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
    const results = await this.#run(undefined, () => true);
    const tests = results.map(({ name, ms, differences }) => ({
      ...{ id: name, name, timeSpentMs: ms / JOBS },
      ...(differences.length > 0 ? { status: 1, failureMessage: differences.join("; ") } : { status: 0 }),
    }));
    return { status: "complete", tests };
  }

  async mutantRun({ activeMutant }: { activeMutant: { id: string } }) {
    const results = await this.#run(activeMutant.id, ({ differences }) => differences.length === 0);
    const failed = results.find(({ differences }) => differences.length > 0);
    const nrOfTests = results.length;
    if (failed === undefined) return { status: "survived", nrOfTests };
    const failureMessage = `${failed.name}: ${failed.differences.join("; ")}`;
    return { status: "killed", killedBy: [failed.name], failureMessage, nrOfTests };
  }

  async dispose() {
    await this.#places?.close();
  }

  async #run(mutant: string | undefined, onResult: Parameters<Places["run"]>[1]) {
    stryker.activeMutant = mutant;
    return (await this.#places?.run(this.#cases, onResult)) ?? [];
  }
}

const createRunner = Object.assign((options: Options) => new PagesRunner(options), {
  inject: ["options"] as const,
});

export const strykerPlugins = [{ kind: "TestRunner", name: "pages", factory: createRunner }];
