import type { Row } from "../../functions/contract/runs/run.ts";
import type { ChromiumInstall } from "../../functions/scraping/browser/install.ts";
import type { Task } from "../../test/widgets/task.ts";

/** Where a task's page is, and the browser to read it with. */
export interface Place {
  origin: string;
  chromium: ChromiumInstall;
  /** A selector of the task's pagination control, as a person would copy it from the page; undefined if there is none. */
  control: string | undefined;
}

export interface Reading {
  rows: readonly Row[];
  /** What the library says if its rows may be wrong. */
  doubt?: string;
}

/** A way to read the pages: a library, used as its documentation suggests. */
export interface Peer {
  name: string;
  version: string;
  /** Whether the library can express the task. */
  can(task: Task): boolean;
  /** @throws what the library says if it can't read the page */
  read(task: Task, place: Place): Promise<Reading>;
  close?(): Promise<void>;
}

/** The URL of a task's page. */
export const urlOf = (task: Task, { origin }: Pick<Place, "origin">): string => `${origin}/${task.page}`;

/** The list of a task that needs nothing but a list and its pagination; undefined for other tasks. */
export function plainList({ definition, act, windowedPages }: Task) {
  const list = definition.steps.find((step) => step.type === "get_list");
  if (!list || act || windowedPages || list.details || list.frame) return undefined;
  return definition.steps.length === 2 ? list : undefined;
}
