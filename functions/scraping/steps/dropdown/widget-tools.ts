/// <reference lib="dom" />

/** What the page shows of a dropdown's options, as far as it was seen. */
export interface OptionsSeen {
  /** Whether the wanted option is shown, and was so at the look before. */
  isThere: boolean;
  /** Whether the wanted option is chosen already, where another click would take it back. */
  isChecked: boolean;
  /** Whether a list of options is shown. */
  isOpen: boolean;
  /** Changes whenever other options are shown. */
  state: string;
  /** All options that were shown up to now. */
  labels: string[];
}

/**
 * Tools for one dropdown that is made of other elements. Evaluated in the page with the element that a step names: a part
 * of the dropdown, its label, or a hidden `select` that it stands for; with `isSure`, the element is one of these.
 */
export function widgetTools(named: Element, isSure: boolean) {
  const FIELDS = "input:not([type=hidden]),select,textarea,[role=combobox]";
  const TYPED_INTO =
    "input:not([type]),input[type=text],input[type=search],input[type=email],input[type=url],input[type=tel]";
  const DROPDOWNS =
    "select,[role=combobox],[role=listbox],[aria-haspopup]:not([aria-haspopup=false]),[aria-autocomplete],[aria-expanded],input[list]";
  const DROPDOWN_CLASS = /select(?!ed|ion|able|or)|dropdown|combo/i;
  const OPTION_ROLES = [
    "[role=option],[role=treeitem]",
    "[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox]",
  ];
  const REMOVERS = /remove|clear|close|delete/i;
  const WIDGET_NAMES = /select|dropdown|combo|choice|chosen|picker/i;
  const HEIGHT_MAX = 150;
  const TEXT_MAX = 100;

  const normal = (text: string | null | undefined) =>
    (text ?? "")
      .replace(/[\u200b\u200e\u200f\ufeff]/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const textOf = (element: Element) => normal((element as HTMLElement).innerText ?? element.textContent);
  const lower = (text: string) => text.toLowerCase();
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const isIn = (element: Element | null, around: Element): boolean => {
    for (let at = element; at; at = parentOf(at)) if (at === around) return true;
    return false;
  };
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };
  const isClipped = (element: Element) => {
    for (let at: Element | null = element; at; at = parentOf(at)) {
      const { clip, clipPath } = getComputedStyle(at);
      if (/^rect\(0px,? 0px,? 0px,? 0px\)$|^rect\(1px,? 1px/.test(clip)) return true;
      if (/^inset\((50|100)%/.test(clipPath)) return true;
    }
    return false;
  };
  const childrenOf = (element: Element) => [...(element.shadowRoot?.children ?? []), ...element.children];
  /** All elements in and under one that are shown, also those in open shadow roots. */
  const shownIn = (top: Element): Element[] => {
    const shown: Element[] = [];
    const visit = (element: Element) => {
      if (!element.checkVisibility() && getComputedStyle(element).display !== "contents") return;
      const { width, height } = element.getBoundingClientRect();
      if (isVisible(element)) shown.push(element);
      // What a box without an extent cuts off is not shown.
      else if ((width <= 1 || height <= 1) && getComputedStyle(element).overflow !== "visible") return;
      for (const child of childrenOf(element)) visit(child);
    };
    visit(top);
    return shown;
  };
  const byId = (from: Element, id: string) => {
    const root = from.getRootNode() as Document | ShadowRoot;
    return root.getElementById?.(id) ?? document.getElementById(id);
  };

  /** Whether a person could use a native dropdown itself. */
  const isUsable = (select: HTMLSelectElement) => {
    const { width, height } = select.getBoundingClientRect();
    return (
      width > 4 && height > 4 && select.checkVisibility({ visibilityProperty: true }) && !isClipped(select)
    );
  };
  const isWidget = (element: Element, select: HTMLSelectElement) =>
    [element, ...element.querySelectorAll("*")].some(
      (part) =>
        WIDGET_NAMES.test(`${part.className} ${part.id} ${part.localName}`) ||
        part.matches("[role=combobox],[role=listbox],[aria-haspopup],[aria-expanded]"),
    ) || textOf(element) === normal(select.selectedOptions[0]?.label);
  /** What a page shows instead of its native dropdown. */
  const standInOf = (select: HTMLSelectElement): Element | undefined => {
    const siblings = [...(select.parentElement?.children ?? [])];
    const at = siblings.indexOf(select);
    const near = [siblings[at + 1], siblings[at - 1], siblings[at + 2], siblings[at - 2]];
    const beside = near.filter(
      (element): element is Element =>
        element !== undefined &&
        element.localName !== "label" &&
        isVisible(element) &&
        isWidget(element, select),
    );
    const usable = beside.find((element) => element.matches("input,button,[tabindex],[role]"));
    return usable ?? beside[0];
  };

  const isDropdownLike = (element: Element) =>
    element.matches(DROPDOWNS) ||
    [...element.classList].some((name) => DROPDOWN_CLASS.test(name)) ||
    (element.localName.includes("-") && DROPDOWN_CLASS.test(element.localName));
  const isSmall = (element: Element) => element.getBoundingClientRect().height <= HEIGHT_MAX;
  /** Whether a person would take a text for the label of an element. */
  const isNear = (label: Element, element: Element) => {
    const [a, b] = [label.getBoundingClientRect(), element.getBoundingClientRect()];
    const across = Math.max(0, b.left - a.right, a.left - b.right);
    const down = Math.max(0, b.top - a.bottom, a.top - b.bottom);
    return (down === 0 && across <= 200) || (across === 0 && down <= 40);
  };
  /** Whether a click on an element may open a list; a link opens a page. */
  const opens = (element: Element) =>
    !element.matches("a[href]:not([href^='#']),a[href] *") &&
    ((element as HTMLElement).tabIndex >= 0 ||
      element.hasAttribute("onclick") ||
      getComputedStyle(element).cursor === "pointer");

  /** The dropdown that a text on the page belongs to: the one that shows it, else the one that it is the label of. */
  const dropdownOfText = (text: Element): Element | undefined => {
    for (let at: Element | null = text, up = 0; at && up < 5 && isSmall(at); at = parentOf(at), up += 1)
      if ((isDropdownLike(at) || at.matches("button,summary")) && at.localName !== "label") return at;
    for (let at = parentOf(text), up = 0; at && up < 4; at = parentOf(at), up += 1) {
      const around = at;
      const inside = shownIn(around).filter(
        (element) => isDropdownLike(element) && !isIn(text, element) && isNear(text, element),
      );
      const outer = inside.filter(
        (element) => !inside.some((other) => other !== element && isIn(element, other)),
      );
      if (outer.length === 0) continue;
      if (outer.length === 1) return outer[0];
      return outer.find(
        (element) => text.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
      );
    }
    const next = text.nextElementSibling;
    if (next && isVisible(next) && isSmall(next) && [next, ...next.children].some(opens)) return next;
    return opens(text) ? text : undefined;
  };

  const isSelect = (element: unknown): element is HTMLSelectElement => element instanceof HTMLSelectElement;
  const control = ((): Element | undefined => {
    const field = (named instanceof HTMLLabelElement && named.control) || named;
    if (isSelect(field)) return isUsable(field) ? field : standInOf(field);
    if (field !== named) return field;
    if (isDropdownLike(named) || named.matches(FIELDS) || named.querySelector(FIELDS)) return named;
    return dropdownOfText(named) ?? (isSure ? named : undefined);
  })();

  /** The box around a control that shows what is chosen. */
  const boxOf = (inner: Element): Element => {
    let box = inner;
    for (let up = 0; up < 5; up += 1) {
      const around = parentOf(box);
      if (!around || around.matches("html,body,form,fieldset,label,main,section,td,tr,ul,li,nav")) break;
      const fields = [...around.querySelectorAll(FIELDS)].filter(
        (field) => !isIn(box, field) && !parentOf(field)?.closest(FIELDS) && isVisible(field),
      );
      if (fields.length > 1 || !isSmall(around)) break;
      box = around;
    }
    return box;
  };
  const box = control && boxOf(control);
  /** The hidden native dropdown that the widget stands for, which knows what is chosen. */
  const select = control === named ? undefined : [named, (named as HTMLLabelElement).control].find(isSelect);

  let before = new Set<Element>();
  let beforeChoice = new Set<Element>();
  let textBefore = "";
  let valuesBefore: string[] | undefined;
  let clicked: Element | undefined;
  let option: Element | undefined;
  let wasMarked = false;
  let hasReacted = false;
  const labels = new Set<string>();

  /** Lists that the dropdown says are its own. */
  const ownLists = (): Element[] => {
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
  };
  /** What is shown since the dropdown opened, and its own lists. */
  const pool = (): Element[] => {
    const appeared = shownIn(document.documentElement).filter((element) => !before.has(element));
    return [...new Set([...ownLists().flatMap(shownIn), ...appeared])];
  };
  const nameOf = (element: Element) => textOf(element) || normal(element.getAttribute("aria-label"));
  const optionsIn = (elements: readonly Element[]): Element[] => {
    for (const roles of OPTION_ROLES) {
      const found = elements.filter((element) => element.matches(roles) && nameOf(element) !== "");
      if (found.length > 0) return found.filter((element) => !isClipped(element));
    }
    // Without roles, whatever holds a text of its own may be an option.
    return elements.filter(
      (element) =>
        element !== control &&
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && normal(node.nodeValue)) &&
        !element.matches("script,style") &&
        !isClipped(element),
    );
  };
  const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);
  const matching = (options: readonly Element[], wanted: string): Element | undefined => {
    const texts = options.map(nameOf);
    const ownValueOf = (element: Element) =>
      element.getAttribute("data-value") ?? element.getAttribute("value") ?? undefined;
    const partsOf = (element: Element) =>
      [...element.querySelectorAll("*")]
        .flatMap((part) => [...part.childNodes])
        .concat([...element.childNodes])
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => normal(node.nodeValue));
    return (
      options.find((_, index) => texts[index] === wanted) ??
      options.find((element) => normal(element.getAttribute("aria-label")) === wanted) ??
      options.find((element) => ownValueOf(element) === wanted) ??
      onlyOne(options.filter((_, index) => lower(texts[index] ?? "") === lower(wanted))) ??
      // An option may have more in it, such as a mark or a remark.
      onlyOne(options.filter((element) => partsOf(element).includes(wanted)))
    );
  };
  const isMarked = (element: Element) => {
    const item = element.closest("[role],li,label") ?? element;
    return (
      /^true$/.test(item.getAttribute("aria-selected") ?? item.getAttribute("aria-checked") ?? "") ||
      item.getAttribute("data-state") === "checked" ||
      item.querySelector("input:checked,[aria-checked=true]") !== null ||
      /(^|[\s_-])(selected|checked|chosen|active)($|[\s_-])/i.test(item.getAttribute("class") ?? "")
    );
  };
  const isChecked = (element: Element) => {
    const item = element.closest("[role],li,label") ?? element;
    if (item.getAttribute("aria-checked") === "true" || item.querySelector("input:checked")) return true;
    return (
      item.getAttribute("aria-selected") === "true" &&
      item.closest("[role=listbox]")?.getAttribute("aria-multiselectable") === "true"
    );
  };
  const fieldsIn = (element: Element): HTMLInputElement[] =>
    [element, ...element.querySelectorAll("*")]
      .flatMap((each) => [each, ...(each.shadowRoot?.querySelectorAll("*") ?? [])])
      .filter((each): each is HTMLInputElement => each.matches(TYPED_INTO));
  const focused = (): Element | null => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  /** The texts that the control shows, without those of its list. */
  const shownTexts = (list: ReadonlySet<Element>): string[] =>
    box
      ? shownIn(box)
          .filter((element) => !list.has(element))
          .map(textOf)
      : [];
  const isSelected = (wanted: string) => selectedLabels().some((label) => lower(label) === lower(wanted));
  const selectedLabels = () =>
    [...(select?.selectedOptions ?? [])].flatMap(({ label, value }) => [normal(label), value]);
  /** What the control shows before it opens; options in it are no such values. */
  const valuesShown = (): string[] => {
    if (!box) return [];
    const lists = ownLists();
    const values = shownIn(box).filter(
      (element) =>
        !element.closest(`ul,ol,[role=menu],[role=tree],${OPTION_ROLES.join()}`) &&
        !lists.some((list) => isIn(element, list)),
    );
    return values.map(textOf);
  };
  const has = (wanted: string): boolean =>
    select ? isSelected(wanted) : valuesBefore?.includes(wanted) === true;
  /** Notes when the page changes anywhere but in the list. */
  const watch = () => {
    const isElsewhere = (node: Node) => !option || (!node.contains(option) && !listRoot()?.contains(node));
    const observer = new MutationObserver((records) => {
      hasReacted ||= records.some(({ type, target, addedNodes, removedNodes }) =>
        type === "childList"
          ? [...addedNodes, ...removedNodes].some(isElsewhere) && !listRoot()?.contains(target)
          : isElsewhere(target),
      );
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  };
  const listRoot = () => {
    const list = option?.closest("[role=listbox],[role=menu],[role=tree],ul,ol");
    return list ?? option?.parentElement ?? undefined;
  };

  return {
    kind:
      control instanceof HTMLSelectElement
        ? "select"
        : control instanceof HTMLInputElement && control.list
          ? "input"
          : control
            ? "widget"
            : "none",
    control,
    isItself: named === (control ?? named),
    /** Whether a value was chosen before the dropdown opened. */
    has,
    shownText: () => (box ? (fieldsIn(box).find((field) => field.value)?.value ?? textOf(box)) : ""),
    /** Notes what is shown before the dropdown opens. */
    noteClosed(): void {
      before = new Set(shownIn(document.documentElement));
      textBefore = box ? textOf(box) : "";
      valuesBefore ??= valuesShown();
    },
    isExpanded: () =>
      control?.getAttribute("role") === "listbox" ||
      (box !== undefined &&
        [box, ...box.querySelectorAll("*")].some((part) => part.getAttribute("aria-expanded") === "true") &&
        ownLists().some(isVisible)),
    /** Where in `clicked` a click opens the dropdown, rather than removing something chosen. */
    opener(): { x: number; y: number } | undefined {
      clicked = control;
      if (!control || !box) return undefined;
      control.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      const inner = fieldsIn(control).filter(isVisible);
      const points = [control, ...inner, box].flatMap((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const middle = top + height / 2;
        return [left + width / 2, left + width - 12, left + 8].map((x) => ({ x, y: middle }));
      });
      const hit = (x: number, y: number) => {
        let at = document.elementFromPoint(x, y);
        while (at?.shadowRoot) {
          const inside = at.shadowRoot.elementFromPoint(x, y);
          if (!inside || inside === at) break;
          at = inside;
        }
        return at;
      };
      const removes = (element: Element) => {
        const button = element.closest("button,a,[role=button],[class*=remove i],[class*=clear i]");
        if (!button || button === control || isIn(control, button)) return false;
        return REMOVERS.test(
          `${button.getAttribute("class")} ${button.getAttribute("aria-label")} ${button.getAttribute("title")}`,
        );
      };
      const point = points.find(({ x, y }) => {
        const found = hit(x, y);
        return found !== null && isIn(found, box) && !removes(found);
      });
      if (!point) return undefined;
      clicked = control;
      const found = hit(point.x, point.y);
      while (!isIn(found, clicked)) clicked = parentOf(clicked) ?? box;
      const { left, top } = clicked.getBoundingClientRect();
      return { x: point.x - left - clicked.clientLeft, y: point.y - top - clicked.clientTop };
    },
    clicked: () => clicked,
    box: () => box,
    /** Whether other tools are for the same dropdown. */
    isSame: (other: { box: () => Element | undefined }) => {
      const its = other.box();
      return box !== undefined && its !== undefined && (isIn(its, box) || isIn(box, its));
    },
    look(wanted: string): OptionsSeen {
      const options = optionsIn(pool());
      const texts = options.map((each) => nameOf(each).slice(0, TEXT_MAX));
      for (const text of texts) if (/[\p{L}\p{N}]/u.test(text) && labels.size < 1_000) labels.add(text);
      const found = matching(options, wanted);
      // A list that was just scrolled may be about to be drawn anew.
      const isSteady = found !== undefined && found === option;
      option = found;
      return {
        isThere: isSteady,
        isChecked: option !== undefined && (isChecked(option) || has(nameOf(option))),
        isOpen: options.length > 0,
        state: texts.join("\n"),
        labels: [...labels],
      };
    },
    /** The wanted option, to be clicked. */
    takeOption(): Element | undefined {
      beforeChoice = new Set(shownIn(document.documentElement));
      wasMarked = option !== undefined && isMarked(option);
      watch();
      const text = option && textOf(option);
      for (let at: Element | null = option ?? null; at && textOf(at) === text; at = parentOf(at))
        if (getComputedStyle(at).pointerEvents !== "none") return at;
      // A list takes no clicks while it opens.
      return option;
    },
    isOptionShown: () => option?.isConnected === true && isVisible(option) && !isClipped(option),
    /** Whether the choice took. */
    took(wanted: string): boolean {
      if (!control || !box) return false;
      if (select) return isSelected(wanted);
      const isOpen = option?.isConnected === true && isVisible(option) && !isClipped(option);
      if (option && isOpen && !wasMarked && isMarked(option)) return true;
      if (!control.isConnected) return !isOpen;
      const name = option ? nameOf(option) : wanted;
      const isIt = (text: string) => text === name || lower(text) === lower(wanted);
      const root = listRoot();
      const outside = (element: Element) => !root || !isIn(element, root);
      const list = new Set(isOpen && root ? shownIn(root) : []);
      const texts = shownTexts(list);
      if (texts.some(isIt)) return true;
      if (!isOpen && fieldsIn(box).some(({ value }) => isIt(normal(value)))) return true;
      const now = textOf(box);
      if (!isOpen && now !== textBefore && lower(now).includes(lower(name))) return true;
      const added = shownIn(document.documentElement).filter(
        (element) => !beforeChoice.has(element) && outside(element),
      );
      if (added.some((element) => isIt(textOf(element)))) return true;
      // What never shows a value, such as a menu, closes or makes the page react.
      const isField = fieldsIn(box).some((field) => !field.readOnly);
      if (isField || labels.has(textBefore)) return false;
      const isMenu = ![control, ...box.querySelectorAll("*")].some((part) =>
        part.matches("[role=combobox],[role=listbox],[aria-haspopup=listbox]"),
      );
      return hasReacted || (isMenu && !isOpen);
    },
    /** Whether the list that was opened is still there, with nothing in it to press before it closes. */
    isLeftOpen(): boolean {
      if (!option || before.has(option) || !option.isConnected || !isVisible(option) || isClipped(option))
        return false;
      let popup = option;
      for (let at: Element | null = option; at && !before.has(at); at = parentOf(at)) popup = at;
      if (popup.matches("dialog,[role=dialog],[role=alertdialog]") || popup.closest("dialog")) return false;
      return !shownIn(popup).some((part) => part.matches("button,[role=button]") && textOf(part) !== "");
    },
    /** Closes a list that closes when something else is clicked. */
    leave(): void {
      (focused() as HTMLElement | null)?.blur();
      for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
        document.body.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
    },
    /** The input by which options are searched for. */
    searchField(): Element | undefined {
      if (!box) return undefined;
      const isFree = (field: Element): field is HTMLInputElement =>
        field.matches(TYPED_INTO) &&
        !(field as HTMLInputElement).readOnly &&
        !(field as HTMLInputElement).disabled;
      const active = focused();
      const appeared = pool().filter(isFree);
      const own = fieldsIn(box).filter(isFree);
      if (active && isFree(active) && (isIn(active, box) || appeared.includes(active))) return active;
      return appeared[0] ?? own[0];
    },
    /** Scrolls the list on. Returns false at its end. */
    scrollOn(fromTop: boolean): boolean {
      const canScroll = (element: Element) =>
        element.scrollHeight > element.clientHeight + 1 &&
        /auto|scroll/.test(getComputedStyle(element).overflowY);
      const shown = pool();
      let scroller = shown.find(canScroll);
      for (let at: Element | null = optionsIn(shown)[0] ?? null; at && !scroller; at = parentOf(at))
        if (at !== document.documentElement && at !== document.body && canScroll(at)) scroller = at;
      if (!scroller) return false;
      const from = scroller.scrollTop;
      const top = fromTop ? 0 : from + 0.8 * scroller.clientHeight;
      scroller.scrollTo({ top, behavior: "instant" });
      return fromTop || scroller.scrollTop > from;
    },
    /** Sets the native dropdown behind the widget. Returns false where it lacks the option. */
    setSelect(wanted: string): boolean {
      const fits = [...(select?.options ?? [])].find(
        ({ label, value, disabled }) => !disabled && (normal(label) === wanted || value === wanted),
      );
      if (!select || !fits) return false;
      fits.selected = true;
      for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
      return true;
    },
  };
}

export type WidgetTools = ReturnType<typeof widgetTools>;
