import type { FramePath } from "../../../functions/contract/steps/action-steps.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { MappedElement } from "../../../functions/proposals/element-map.ts";
import type { Inspection } from "../../api/api.ts";
import type { ElementField, List } from "./definition.ts";

/** Bits of an element's flags, as functions/proposals/element-map.ts defines them. */
const PRESSABLE = 1;
const INPUT = 2;

/** A rectangle on the page, in CSS px. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A visible element of the page. */
export interface PageElement extends Box {
  ref: number;
  parent: PageElement | undefined;
  tag: string;
  text: string;
  isPressable: boolean;
  isInput: boolean;
  /** The `field_name` with which a step finds the element; "" if there is none. */
  name: string;
  /** A selector of the element; "" if there is none. */
  selector: string;
  /** The frames that the element is in; undefined: it is in the page itself. */
  frame: FramePath | undefined;
}

export type Input = NonNullable<Inspection["forms"]>[number]["inputs"][number];
/** The part of a step that identifies its element. */
export type Target = ({ field_name: string } | { selector: string }) & { frame?: FramePath };

/** The place of an element in the proposed lists: the indexes of the list and the row, and the field. */
export interface Cell {
  list: number;
  row: number;
  /** Undefined if no field reads the element. */
  field: ElementField | undefined;
}

/** The elements of an inspected page, with lookups by position, by list and by input. */
export class PageMap {
  readonly elements: readonly PageElement[];
  readonly #byRef = new Map<number, PageElement>();
  readonly #cells = new Map<number, Cell>();
  readonly #inputs = new Map<number, Input>();
  readonly #lists: readonly List[];

  constructor({ map, lists, forms }: Pick<Inspection, "map" | "lists" | "forms">) {
    const handles = new Map(map?.handles.map(([ref, name, selector]) => [ref, { name, selector }]));
    const elements: PageElement[] = [];
    for (const mapped of map?.elements ?? []) {
      const [parent, tag, x, y, width, height, text, flags, ref] = mapped as MappedElement;
      const { name = "", selector = "" } = handles.get(ref) ?? {};
      const isPressable = (flags & PRESSABLE) !== 0;
      const isInput = (flags & INPUT) !== 0;
      const element = {
        ref,
        parent: elements[parent],
        tag,
        x,
        y,
        width,
        height,
        text,
        isPressable,
        isInput,
        name,
        selector,
        frame: map?.frames?.findLast(({ from }) => from <= ref)?.frame,
      };
      elements.push(element);
      this.#byRef.set(ref, element);
    }
    this.elements = elements;
    this.#lists = lists ?? [];
    for (const [index, list] of this.#lists.entries()) this.#addList(list, index);
    for (const input of forms?.flatMap(({ inputs }) => inputs) ?? []) this.#inputs.set(input.ref, input);
  }

  #addList({ row_refs = [], ...list }: List, index: number): void {
    for (const [row, ref] of row_refs.entries())
      if (!this.#cells.has(ref)) this.#cells.set(ref, { list: index, row, field: undefined });
    this.#addFields(list.fields, list.cell_refs, index);
    this.#addFields(list.other_fields ?? [], list.other_cell_refs, index);
  }

  #addFields(fields: readonly ElementField[], cells: List["cell_refs"] = [], list: number): void {
    for (const [at, refs] of cells.entries())
      for (const [row, ref] of refs.entries()) {
        const field = fields[at];
        const known = ref === null ? undefined : this.#cells.get(ref);
        // If one field reads the text of a link and another its address, the text is preferred.
        if (ref === null || (known?.field !== undefined && field?.attribute !== undefined)) continue;
        if (known?.field === undefined || known.list === list) this.#cells.set(ref, { list, row, field });
      }
  }

  byRef(ref: number): PageElement | undefined {
    return this.#byRef.get(ref);
  }

  /** The innermost element at a point of the page. */
  at(x: number, y: number): PageElement | undefined {
    let found: PageElement | undefined;
    for (const element of this.elements) {
      const isInside =
        x >= element.x && y >= element.y && x < element.x + element.width && y < element.y + element.height;
      if (!isInside || element.tag === "body") continue;
      if (found === undefined || areaOf(element) <= areaOf(found)) found = element;
    }
    return found;
  }

  /**
   * The row that contains an element, in the list with the index `preferred` if possible, or else in another list. An
   * element without a text, such as an icon, belongs to the field around it. A text does not: it is a value itself.
   */
  cellOf(element: PageElement, preferred: number): Cell | undefined {
    let first: Cell | undefined;
    let field: ElementField | undefined;
    let isValue = false;
    for (let at: PageElement | undefined = element; at; at = at.parent) {
      const cell = this.#cells.get(at.ref);
      if (cell?.list === preferred) {
        if (!isValue) field ??= cell.field;
        if (this.#isRow(at.ref, cell)) return { ...cell, field };
      }
      first ??= cell;
      isValue ||= at.text !== "";
    }
    return field === undefined ? first : undefined;
  }

  #isRow(ref: number, { list, row }: Cell): boolean {
    return this.#lists[list]?.row_refs?.[row] === ref;
  }

  /** The elements of a list's rows. */
  rowsOf({ row_refs = [] }: List): PageElement[] {
    return row_refs.flatMap((ref) => this.byRef(ref) ?? []);
  }

  /** The elements that one field reads in all rows. */
  cellsOf(list: List, field: ElementField): PageElement[] {
    const at = list.fields.indexOf(field);
    const refs =
      (at === -1 ? list.other_cell_refs?.[list.other_fields?.indexOf(field) ?? -1] : list.cell_refs?.[at]) ??
      [];
    return refs.flatMap((ref) => (ref === null ? [] : (this.byRef(ref) ?? [])));
  }

  inputOf(element: PageElement): Input | undefined {
    return this.#inputs.get(element.ref);
  }

  /** The element that a click acts on: the input that the element labels, the nearest control around it, or itself. */
  pressedBy(element: PageElement): PageElement {
    if (element.tag === "label" && element.text !== "") {
      const labelled = [...this.#inputs.values()].filter(({ label }) => label === element.text);
      const input = labelled.length === 1 ? this.byRef(labelled[0]?.ref ?? -1) : undefined;
      if (input !== undefined) return input;
    }
    for (let at: PageElement | undefined = element; at; at = at.parent)
      if (at.isPressable || at.isInput) return at;
    return element;
  }

  /** The target for a step that clicks or fills in the element; undefined if the element can't be identified. */
  targetOf(element: PageElement): Target | undefined {
    const input = this.inputOf(element);
    const framed = element.frame && { frame: element.frame };
    if (input?.field_name !== undefined) return { field_name: input.field_name, ...framed };
    if (element.name !== "") return { field_name: element.name, ...framed };
    const selector = input?.selector ?? this.selectorOf(element);
    return selector === undefined ? undefined : { selector, ...framed };
  }

  /** A selector of the element, by its row number if it is in a list; undefined if the element can't be identified. */
  selectorOf(element: PageElement): string | undefined {
    if (element.selector !== "") return element.selector;
    const cell = this.#cells.get(element.ref);
    const list = cell && this.#lists[cell.list];
    if (cell === undefined || list === undefined || list.count !== list.row_refs?.length) return undefined;
    const row = `${list.selector} >> nth=${cell.row}`;
    if (cell.field?.selector !== undefined) return `${row} >> ${cell.field.selector}`;
    return this.#isRow(element.ref, cell) ? row : undefined;
  }
}

const areaOf = ({ width, height }: Box) => width * height;

/** The smallest box that contains all boxes. */
export function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

const KINDS: Record<string, string> = {
  a: "Link",
  button: "Button",
  summary: "Button",
  img: "Picture",
  select: "Dropdown",
  input: "Input",
  textarea: "Input",
  h1: "Heading",
  h2: "Heading",
  h3: "Heading",
};

/** An element in words, such as `Link “Next”`. */
export function elementInWords(element: PageElement, input: Input | undefined): string {
  const kind = KINDS[element.tag] ?? (element.isPressable ? "Button" : "Text");
  const name = element.text || element.name || input?.label || "";
  return name === "" ? kind : `${kind} “${name}”`;
}

/** A step that clicks or hovers the target. */
export const stepOn = (type: "click" | "hover", target: Target): Step => ({ type, ...target });
