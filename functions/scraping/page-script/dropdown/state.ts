/// <reference lib="dom" />
import { parentOf } from "../scroller.ts";
import { boxOf, controlOf, isSelect } from "./control.ts";
import { byId, isClipped, isIn, isVisible, lower, normal, shownIn, textOf } from "./elements.ts";
import { OPTION_ROLES } from "./options.ts";

/** What is known of one dropdown. */
export class DropdownState {
  readonly control: Element | undefined;
  /** The box around the control that shows what is chosen. */
  readonly box: Element | undefined;
  /** The hidden native dropdown that the widget stands for, which knows what is chosen. */
  readonly select: HTMLSelectElement | undefined;
  /** What was shown before the dropdown opened. */
  before: ReadonlySet<Element> = new Set();
  textBefore = "";
  valuesBefore: readonly string[] | undefined;
  /** The wanted option. */
  option: Element | undefined;
  /** All options that were shown up to now. */
  readonly labels = new Set<string>();

  constructor(named: Element, isSure: boolean) {
    this.control = controlOf(named, isSure);
    this.box = this.control && boxOf(this.control);
    this.select =
      this.control === named ? undefined : [named, (named as HTMLLabelElement).control].find(isSelect);
  }

  /** Notes what is shown before the dropdown opens. */
  noteClosed(): void {
    this.before = new Set(shownIn(document.documentElement));
    this.textBefore = this.box ? textOf(this.box) : "";
    this.valuesBefore ??= this.#valuesShown();
  }

  /** Whether a value was chosen before the dropdown opened. */
  has(wanted: string): boolean {
    return this.select ? this.isSelected(wanted) : this.valuesBefore?.includes(wanted) === true;
  }

  /** Whether the native dropdown has a value. */
  isSelected(wanted: string): boolean {
    const selected = [...(this.select?.selectedOptions ?? [])];
    const labels = selected.flatMap(({ label, value }) => [normal(label), value]);
    return labels.some((label) => lower(label) === lower(wanted));
  }

  /** Lists that the dropdown says are its own. */
  ownLists(): Element[] {
    const { control, box } = this;
    if (!control || !box) return [];
    const speakers = [control, box, ...box.querySelectorAll("[aria-controls],[aria-owns],[role=listbox]")];
    return speakers.flatMap((each) => {
      if (each.getAttribute("role") === "listbox") return [each];
      const ids = `${each.getAttribute("aria-controls") ?? ""} ${each.getAttribute("aria-owns") ?? ""}`;
      return ids
        .split(/\s+/)
        .flatMap((id) => (id && byId(each, id)) || [])
        .filter((list) => !isIn(control, list));
    });
  }

  /** What is shown since the dropdown opened, and its own lists. */
  pool(): Element[] {
    const appeared = shownIn(document.documentElement).filter((element) => !this.before.has(element));
    return [...new Set([...this.ownLists().flatMap(shownIn), ...appeared])];
  }

  isOptionShown(): boolean {
    const { option } = this;
    return option?.isConnected === true && isVisible(option) && !isClipped(option);
  }

  /** The list that the wanted option is in. */
  listRoot(): Element | undefined {
    const list = this.option?.closest("[role=listbox],[role=menu],[role=tree],ul,ol");
    return list ?? this.option?.parentElement ?? undefined;
  }

  /** Whether the list that was opened is still there, with nothing in it to press before it closes. */
  isLeftOpen(): boolean {
    const { option, before } = this;
    if (!option || before.has(option) || !this.isOptionShown()) return false;
    let popup = option;
    for (let at: Element | null = option; at && !before.has(at); at = parentOf(at)) popup = at;
    if (popup.matches("dialog,[role=dialog],[role=alertdialog]") || popup.closest("dialog")) return false;
    return !shownIn(popup).some((part) => part.matches("button,[role=button]") && textOf(part) !== "");
  }

  /** What the control shows before it opens; options in it are no such values. */
  #valuesShown(): string[] {
    if (!this.box) return [];
    const lists = this.ownLists();
    const values = shownIn(this.box).filter(
      (element) =>
        !element.closest(`ul,ol,[role=menu],[role=tree],${OPTION_ROLES.join()}`) &&
        !lists.some((list) => isIn(element, list)),
    );
    return values.map(textOf);
  }
}
