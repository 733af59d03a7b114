import { signal } from "@preact/signals";
import type { Step } from "../../../functions/contract/steps.ts";
import {
  addressFieldOf,
  freeName,
  keyOf,
  listOf,
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
}

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

  #pick(element: PageElement): void {
    const { map, chosen, lists } = this.#recorder;
    const cell = this.isPairing.value ? undefined : map.value?.cellOf(element, chosen.value);
    if (cell === undefined) {
      this.#pair(element);
      return;
    }
    if (cell.list !== chosen.value) {
      this.#recorder.choose(cell.list);
      return;
    }
    const list = lists.value[cell.list];
    if (cell.field !== undefined && list !== undefined) this.#toggle(cell.field);
    else
      this.#recorder.hint.value =
        "This is the same in all rows, or in few of them. To read it once, for all rows, press S and point at it.";
  }

  #toggle(field: Parameters<typeof withField>[1]): void {
    const definition = this.#recorder.definition.value;
    const list = definition && listOf(definition);
    if (definition === undefined || list === undefined) return;
    const known = list.fields.find((each) => keyOf(each) === keyOf(field));
    if (known !== undefined && list.fields.length === 1) {
      this.#recorder.hint.value = "A list has at least one column. Add another one before you remove this.";
      return;
    }
    const next = known === undefined ? withField(list, field) : withoutField(list, known.name);
    this.#recorder.change(withList(definition, next));
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
    const selector = this.#recorder.map.value?.selectorOf(element);
    if (selector === undefined) this.#recorder.hint.value = NO_WAY;
    else this.value.value = { element, selector };
  }

  #wait(element: PageElement): void {
    const selector = this.#recorder.map.value?.selectorOf(element);
    if (selector === undefined) this.#recorder.hint.value = NO_WAY;
    else this.#recorder.act({ type: "wait", selector });
  }

  /** Adds the step that the popover of an input has created, and closes the popover. */
  fillIn(step: Step): void {
    this.input.value = undefined;
    this.#recorder.act(step);
  }

  /** Adds the single value: as a field of the detail page if one is open, or else as a step before the list. */
  readValue(name: string): void {
    const asked = this.value.value;
    const { value: definition } = this.#recorder.definition;
    this.value.value = undefined;
    if (asked === undefined || definition === undefined) return;
    const list = listOf(definition);
    const address = list && addressFieldOf(list);
    if (this.#recorder.detail.value !== undefined && list !== undefined && address !== undefined) {
      const field = {
        name,
        selector: asked.selector,
        ...(asked.element.tag === "img" && { attribute: "src" }),
      };
      this.#recorder.change(withList(definition, withDetail(list, address.name, field)));
      return;
    }
    const texts = definition.steps.flatMap((step) =>
      step.type === "get_text" ? { name: step.field_name } : [],
    );
    const field_name = freeName([...texts, ...(listOf(definition)?.fields ?? [])], name);
    this.#recorder.act({ type: "get_text", field_name, selector: asked.selector });
  }
}
