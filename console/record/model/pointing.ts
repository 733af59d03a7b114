import { signal } from "@preact/signals";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { words } from "../../../functions/proposals/lists/field-names.ts";
import { counted } from "../../format/numbers.ts";
import {
  addressFieldOf,
  freeName,
  keyOf,
  type ListStep,
  listOf,
  type ProposedField,
  withDetail,
  withField,
  withList,
  withoutField,
} from "./definition.ts";
import { type Input, type PageElement, stepOn, type Target } from "./page-map.ts";
import type { Recorder } from "./recorder.ts";

/** What a click does: pick rows and fields, click, fill in, read a single value, wait for the element, or hover. */
export type Mode = "pick" | "click" | "type" | "single" | "wait" | "hover";

/** The input for which the user is asked for a value. */
export interface AskedInput {
  input: Input | undefined;
  element: PageElement;
  target: Target;
}

/** The single value for which the user is asked for a name. */
export interface AskedValue {
  element: PageElement;
  selector: string;
  /** The suggested name of its column. */
  name: string;
}

/** What a click on an element does while lists and columns are picked. */
type Plan =
  | { does: "pair"; isSecond: boolean }
  | { does: "choose"; index: number; rows: number }
  | { does: "add"; field: ProposedField; rows: number }
  | { does: "remove"; name: string }
  /** It is the only column, which can't be removed. */
  | { does: "keep" }
  /** The rows are read from JSON, which has no elements. */
  | { does: "json" }
  | { does: "nothing" };

function inWords(plan: Plan, words: string): string {
  switch (plan.does) {
    case "pair":
      return plan.isSecond ? "The same in another row" : "Rows like this one";
    case "choose":
      return `Choose list ${plan.index + 1}: ${counted(plan.rows, "row")}`;
    case "add": {
      const { filled, distinct, samples } = plan.field;
      const having = Math.max(1, Math.round(filled * plan.rows));
      const where =
        having < plan.rows
          ? ` (in ${having} of ${counted(plan.rows, "row")})`
          : distinct === 1
            ? " (the same in all rows)"
            : "";
      return `Add: ${words || shortened(samples[0] ?? "")}${where}`;
    }
    case "remove":
      return `Remove the column ${plan.name}`;
    case "keep":
      return "The only column";
    case "json":
      return "Read from JSON";
    case "nothing":
      return "";
  }
}

const WORDS_MAX = 40;
const shortened = (text: string) => (text.length > WORDS_MAX ? `${text.slice(0, WORDS_MAX)}…` : text);

const HINTS = {
  keep: "A list has at least one column. Add another one before you remove this.",
  json: "The rows are read from JSON. Add a column below the table, or choose the list without its JSON.",
  nothing:
    "Gleaner can't tell this value from others in the rows. To read it once, for all rows, press S and point at it.",
};
const STILL_WORKING = "The page is still being opened. Point at it again when it is there.";
const NO_WAY = "Gleaner can't identify this element. Point at one beside it or around it.";

/** Handles clicks on elements of the screenshot, or of the list of elements. What a click does depends on the mode. */
export class Pointing {
  readonly mode = signal<Mode>("pick");
  /** The element under the pointer, or the one selected in the list. */
  readonly hovered = signal<PageElement | undefined>(undefined);
  /** The first of two elements in similar rows, while the second one is still to be clicked. */
  readonly first = signal<PageElement | undefined>(undefined);
  /** Whether the next two clicks pick two similar rows, even if they are in proposed lists. */
  readonly isPairing = signal(false);
  readonly input = signal<AskedInput | undefined>(undefined);
  readonly value = signal<AskedValue | undefined>(undefined);
  readonly #recorder: Recorder;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  setMode(mode: Mode): void {
    this.mode.value = mode;
    this.stopPairing();
    this.#recorder.hint.value = undefined;
  }

  startPairing(): void {
    this.mode.value = "pick";
    this.isPairing.value = true;
    this.first.value = undefined;
  }

  stopPairing(): void {
    this.isPairing.value = false;
    this.first.value = undefined;
  }

  /** Handles a click on an element, according to the mode. */
  use(element: PageElement): void {
    const { map, hint } = this.#recorder;
    if (map.value === undefined) return;
    hint.value = this.#recorder.looking.work.value === undefined ? undefined : STILL_WORKING;
    if (hint.value !== undefined) return;
    if (this.#recorder.detail.value !== undefined) this.#single(element);
    else if (this.mode.value === "pick") this.#pick(element);
    else if (this.mode.value === "single") this.#single(element);
    else if (this.mode.value === "wait") this.#wait(element);
    else this.#act(element);
  }

  /** What a click on an element does, in a few words for the pointer. */
  does(element: PageElement): string {
    const { map, detail } = this.#recorder;
    const words = shortened(element.text || element.name);
    const mode = detail.value === undefined ? this.mode.value : "single";
    if (mode === "pick") return inWords(this.#planFor(element), words);
    if (mode === "single") return words === "" ? "Read its value" : `Read: ${words}`;
    if (mode === "wait") return "Wait for this";
    const pressed = map.value?.pressedBy(element);
    const name = shortened(pressed?.text || pressed?.name || "") || words;
    return `${mode === "type" ? "Fill in" : mode === "hover" ? "Point at" : "Click"} ${name}`.trim();
  }

  #planFor(element: PageElement): Plan {
    const { map, chosen, lists, list: step } = this.#recorder;
    const cell = this.isPairing.value ? undefined : map.value?.cellOf(element, chosen.value);
    if (cell === undefined) return { does: "pair", isSecond: this.first.value !== undefined };
    const list = lists.value[cell.list];
    if (cell.list !== chosen.value) return { does: "choose", index: cell.list, rows: list?.count ?? 0 };
    if (this.#recorder.isJson.value) return { does: "json" };
    const { field } = cell;
    if (field === undefined) return { does: "nothing" };
    const known = step.value?.fields.find((each) => keyOf(each) === keyOf(field));
    if (known === undefined) return { does: "add", field, rows: list?.row_refs?.length ?? 0 };
    return step.value?.fields.length === 1 ? { does: "keep" } : { does: "remove", name: known.name };
  }

  #pick(element: PageElement): void {
    const plan = this.#planFor(element);
    if (plan.does === "pair") this.#pair(element);
    else if (plan.does === "choose") this.#recorder.choose(plan.index);
    else if (plan.does === "add") this.#changeList((list) => withField(list, plan.field));
    else if (plan.does === "remove") this.#changeList((list) => withoutField(list, plan.name));
    else this.#recorder.hint.value = HINTS[plan.does];
  }

  #changeList(change: (list: ListStep) => ListStep): void {
    const definition = this.#recorder.definition.value;
    const list = definition && listOf(definition);
    if (definition !== undefined && list !== undefined)
      this.#recorder.change(withList(definition, change(list)));
  }

  #pair(element: PageElement): void {
    const { value: first } = this.first;
    if (first === undefined) {
      this.first.value = element;
      return;
    }
    this.stopPairing();
    void this.#recorder.findLike([first.ref, element.ref]);
  }

  #act(element: PageElement): void {
    const map = this.#recorder.map.value;
    const pressed = map?.pressedBy(element);
    const target = pressed && map?.targetOf(pressed);
    if (map === undefined || pressed === undefined || target === undefined) {
      this.#recorder.hint.value = NO_WAY;
      return;
    }
    const input = map.inputOf(pressed);
    if (this.mode.value === "hover") this.#recorder.act(stepOn("hover", target));
    else if (input !== undefined && input.step !== "click") {
      this.input.value = { input, element: pressed, target };
    } else if (this.mode.value === "type" && !pressed.isInput) {
      this.#recorder.hint.value = "This takes no text. Point at an input or a dropdown.";
    } else this.#recorder.act(stepOn("click", target));
  }

  #single(element: PageElement): void {
    const map = this.#recorder.map.value;
    const selector = map?.selectorOf(element);
    if (map === undefined || selector === undefined) this.#recorder.hint.value = NO_WAY;
    else this.value.value = { element, selector, name: suggestedName(element, selector, map.elements) };
  }

  #wait(element: PageElement): void {
    const selector = this.#recorder.map.value?.selectorOf(element);
    if (selector === undefined) this.#recorder.hint.value = NO_WAY;
    else this.#recorder.act({ type: "wait", selector, ...(element.frame && { frame: element.frame }) });
  }

  /** Adds the step that the popover of an input has created, and closes the popover. */
  fillIn(step: Step): void {
    this.input.value = undefined;
    this.#recorder.act(step);
  }

  /**
   * Adds the single value: as a field of the detail page if one is open, or else as a step before the list.
   * @param attribute what to read instead of the text
   */
  readValue(name: string, attribute: string | undefined): void {
    const asked = this.value.value;
    const { value: definition } = this.#recorder.definition;
    this.value.value = undefined;
    if (asked === undefined || definition === undefined) return;
    const list = listOf(definition);
    const address = list && addressFieldOf(list);
    const { frame } = asked.element;
    const reading = {
      selector: asked.selector,
      ...(frame && { frame }),
      ...(attribute !== undefined && { attribute }),
    };
    if (this.#recorder.detail.value !== undefined && list !== undefined && address !== undefined) {
      this.#recorder.change(withList(definition, withDetail(list, address.name, { name, ...reading })));
      return;
    }
    const texts = definition.steps.flatMap((step) =>
      step.type === "get_text" ? { name: step.field_name } : [],
    );
    const field_name = freeName([...texts, ...(listOf(definition)?.fields ?? [])], name);
    this.#recorder.act({ type: "get_text", field_name, ...reading });
  }
}

const LABEL_MAX = 40;
const HEADING = /^h[1-6]$/;

/**
 * A name for the column of a single value: what the page calls it. That is its label, such as the `dt` or `th` beside it
 * or a text with a colon before it, or else its itemprop, its heading or its class.
 * @param elements all elements of the page, in document order
 */
export function suggestedName(
  element: PageElement,
  selector: string,
  elements: readonly PageElement[],
): string {
  const siblings = elements.filter(({ parent }) => parent === element.parent);
  const before = siblings[siblings.indexOf(element) - 1];
  const isLabel = before !== undefined && (/^(?:dt|th)$/.test(before.tag) || /[:：]$/.test(before.text));
  const names = [
    /\[itemprop="([^"]+)"\]/.exec(selector)?.[1],
    /:text-is\("([^"]+)"\) \+/.exec(selector)?.[1],
    isLabel ? before.text : undefined,
    HEADING.test(element.tag) ? "title" : undefined,
    /[.#]([a-z][\w-]*)[^.#]*$/i.exec(selector)?.[1],
    element.tag === "time" ? "date" : element.tag === "img" ? "image" : undefined,
  ];
  const name = names.find((each) => each !== undefined && each.length <= LABEL_MAX && words(each) !== "");
  return name === undefined ? "value" : words(name);
}
