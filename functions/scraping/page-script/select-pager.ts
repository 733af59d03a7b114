/// <reference lib="dom" />

/* A select whose options are the pages of a list. To press it is to choose the option after the current one. */

export const isSelect = (element: Element): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement && !element.multiple;

/** What a select is called: by its labels, up to the options inside them, and by its attributes. */
export function selectNames(select: HTMLSelectElement): string[] {
  const labels = [...select.labels].map((label) => {
    const range = document.createRange();
    range.selectNodeContents(label);
    if (label.contains(select)) range.setEndBefore(select);
    return range.toString();
  });
  return [...labels, select.getAttribute("aria-label") ?? "", select.title].filter((name) => /\S/.test(name));
}

/** The index of the current page. Some pages never choose it, but their options are addresses. */
function currentIndex({ options, selectedIndex }: HTMLSelectElement): number {
  const leadsHere = ({ value }: HTMLOptionElement) =>
    /[/?]/.test(value) && URL.parse(value, document.baseURI)?.href === location.href;
  const at = [...options].findIndex(leadsHere);
  return at < 0 ? selectedIndex : at;
}

/** The option after that of the current page; undefined if that is the last one. */
const nextOption = (select: HTMLSelectElement): HTMLOptionElement | undefined =>
  [...select.options].slice(currentIndex(select) + 1).find(({ disabled, hidden }) => !disabled && !hidden);

export const isAtLast = (element: Element): boolean => isSelect(element) && nextOption(element) === undefined;

/** Chooses the next option, as a person does. */
export function chooseNext(select: HTMLSelectElement): void {
  const option = nextOption(select);
  if (!option) return;
  select.selectedIndex = option.index;
  for (const type of ["input", "change"])
    select.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
}
