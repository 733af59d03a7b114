/// <reference lib="dom" />
import { installControls } from "./controls.ts";
import { type FieldRequest, installLists } from "./lists.ts";
import { installPortions, type Portion } from "./portions.ts";
import { installQuery } from "./query.ts";
import { installScrolling } from "./scrolling.ts";
import { installText } from "./text.ts";
import { installWatch } from "./watch.ts";

/** The name that the agent has in the isolated world that it lives in. */
export const AGENT = "__gleaner";

/**
 * Our functions in the page. They are written as TypeScript, sent as their own source, and share this object:
 * an `install…` function may use nothing else from outside of itself.
 */
export interface Agent {
  /** Elements that a CSS or XPath selector matches below a root, in document order, open shadow roots included. */
  all(root: Document | Element | ShadowRoot, selector: string): Element[];
  /** Has shadow roots looked for again when `all` is called next. */
  lookForShadowRoots(): void;
  first(selector: string): Element | null;
  /** Whether a person could see the element, whatever `holdLayout` hides. */
  isShown(element: Element): boolean;
  /** The same where no computed style has to be asked for; false when it can't be told that way. */
  isPlainlyShown(element: Element): boolean;
  /** A reader of the visible texts of elements, good until the page's scripts run again. It may throw `NotDrawn`. */
  textReader(cells: number): (elements: readonly (Element | null)[]) => (string | null)[];
  /** Says that what is visible can only be told once the page is `drawn`. */
  NotDrawn: new () => Error;
  /** Resolves when the page has been drawn. */
  drawn(): Promise<void>;
  /** Lets the page be laid out again. */
  releaseLayout(): void;
  /** Keeps the page from being drawn, which changes nothing but what nobody looks at. */
  stopDrawing(): void;
  /** Undoes all that keeps the page from showing what it shows to a person. */
  release(): void;
  layoutIsHeld(): boolean;
  /** Resolves to whether `check` became true in time; it is asked again whenever the document changes. */
  until(check: () => boolean, ms: number): Promise<boolean>;
  /** Resolves when the document is parsed, or has `enough` and stopped to grow. */
  parsed(enough: () => boolean, ms: number): Promise<void>;
  findControl(control: Control): Element | null;
  isDisabled(element: Element): boolean;
  /** Whether the page has no scripts. */
  isStatic(): boolean;
  /** The web address that a link leads to; null where only a script knows. */
  addressOf(element: Element): string | null;
  /** Clicks as a script does; tells whether the document is certainly about to be left. */
  press(element: Element): boolean;
  /** The values of each row; null where a row has no such element. */
  readRows(rows: Element[], fields: readonly FieldRequest[]): (string | null)[][];
  /** Whether the rows only stand for others that a script has yet to bring: their texts are wanted, and none has any. */
  areSketches(rows: readonly Element[], fields: readonly FieldRequest[]): boolean;
  /** Rows without the sketches at their end. */
  withoutSketches(rows: Element[], fields: readonly FieldRequest[]): Element[];
  /** The rows of a list when it was last taken. */
  lastTaken(selector: string): readonly Element[] | undefined;
  /** As much of what was taken as fits into one answer; `takeRest` has more. */
  portion(cells: (string | null)[][]): Portion;
  holdSheet?: CSSStyleSheet | undefined;
}

/** The button or link that a pagination goes on by. */
export interface Control {
  selector?: string | undefined;
  field_name?: string | undefined;
}

const installers = [
  installQuery,
  installText,
  installWatch,
  installControls,
  installPortions,
  installLists,
  installScrolling,
];

/** Evaluated in each new document: makes the agent. */
export const agentSource = `globalThis.${AGENT} ??= {}; for (const install of [${installers
  .map((install) => `(${install})`)
  .join(",\n")}]) install(globalThis.${AGENT});`;

/** Evaluated in documents whose list is all that matters: laying out what is read once costs the most of all. */
export const holdLayoutSource = `(${holdLayout})(globalThis.${AGENT} ??= {});`;

function holdLayout(agent: Pick<Agent, "holdSheet">): void {
  if (globalThis.top !== globalThis.self) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("body{content-visibility:hidden!important}");
  document.adoptedStyleSheets.push(sheet);
  agent.holdSheet = sheet;
}
