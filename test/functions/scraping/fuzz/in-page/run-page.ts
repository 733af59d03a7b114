/// <reference lib="dom" />
import type { PageTask } from "../page-config.ts";
import type { createDrawings, View } from "./drawings.ts";
import type { createNoises } from "./noises.ts";
import type { createPagers } from "./pagers.ts";
import type { showParts } from "./parts.ts";
import type { createSources } from "./sources.ts";
import type { createSteps } from "./steps.ts";

/** The other functions of the page. */
export interface Parts {
  createSources: typeof createSources;
  createDrawings: typeof createDrawings;
  createPagers: typeof createPagers;
  createSteps: typeof createSteps;
  createNoises: typeof createNoises;
  showParts: typeof showParts;
}

/** Shows the rows of a page as its config says. Runs in the page; its text is sent, so it refers to nothing outside. */
export async function runPage(task: PageTask, parts: Parts): Promise<void> {
  const view: View = { list: document.getElementById("list") as HTMLElement, shown: [] };
  const control = document.querySelector<HTMLElement>(".control");
  const sources = parts.createSources(task);
  const drawings = parts.createDrawings(task, view);
  let number = task.page;
  let isBusy = false;

  const clear = () => {
    view.shown = [];
    if (task.drawing === "keptPages") {
      for (const row of view.list.children) (row as HTMLElement).style.display = "none";
      return;
    }
    view.list.replaceChildren();
  };
  const show = async (isNew: boolean) => {
    isBusy = true;
    if (isNew && task.isCleared) clear();
    const rows = await sources[task.source](number);
    if (isNew) clear();
    view.shown = [...view.shown, ...rows];
    await drawings[task.drawing](rows);
    isBusy = false;
  };
  const endControl = () => {
    if (number < task.pages || !control) return;
    if (task.end === "removed") control.remove();
    else if (task.end === "hidden") control.style.display = "none";
    else if (control instanceof HTMLButtonElement) control.disabled = true;
    else control.setAttribute("aria-disabled", "true");
  };
  const keepsRows = task.pager === "more" || task.pager.startsWith("scroll");
  const goTo = async (page: number) => {
    number = page;
    await show(!keepsRows);
    endControl();
  };
  const goOn = async () => {
    if (!isBusy && number < task.pages) await goTo(number + 1);
  };
  const pagers = parts.createPagers({
    control,
    pages: task.pages,
    goOn,
    goTo,
    number: () => number,
    isBusy: () => isBusy,
  });
  const begin = async (isNew: boolean) => {
    await show(isNew);
    endControl();
    pagers[task.pager]?.();
  };

  parts.showParts(task);
  const noises = parts.createNoises(task, view);
  for (const noise of task.noises) noises[noise]();
  if (task.step === "none") {
    await begin(false);
    return;
  }
  drawings.html([1, 2, 3].map((price) => ({ number: 0, name: "Old", price: `${price}.00 EUR` })));
  parts.createSteps(() => begin(true))[task.step]();
}
