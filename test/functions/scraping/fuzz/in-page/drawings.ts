/// <reference lib="dom" />
import type { Item, PageConfig, PageTask } from "../page-config.ts";

/** What a page shows. */
export interface View {
  list: HTMLElement;
  /** All rows that the list should have once they are drawn. */
  shown: Item[];
}

export type Drawings = Record<PageConfig["drawing"], (rows: Item[]) => unknown>;

/** How a page draws new rows. Runs in the page; its text is sent, so it refers to nothing outside. */
export function createDrawings(
  { base, drawMs, gapMs, part: partOf, layout }: PageTask,
  view: View,
): Drawings {
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const frame = () => new Promise(requestAnimationFrame);
  const makeBlank = (): HTMLElement =>
    Object.assign(document.createElement(layout === "table" ? "tr" : "div"), { className: "item" });
  const make = ({ number, name, price }: Item): HTMLElement => {
    const row = makeBlank();
    const button = partOf === "none" || partOf === "page" ? "" : `<button data-of=${number}>Show</button>`;
    const link = `<a href="${base}/items/${number}">more</a> ${button}`;
    const variants = layout === "variants" ? "<ul><li><s>red</s><li><s>blue</s></ul>" : "";
    row.innerHTML =
      layout === "table"
        ? `<td><b>${name}</b><td><i>${price}</i><td>${link}`
        : `<b>${name}</b> <i>${price}</i> ${link} ${variants}`;
    return row;
  };
  const part = (row: Element, selector: string) => row.querySelector(selector) as HTMLElement;
  const add = (rows: Item[]) => {
    const added = rows.map(make);
    view.list.append(...added);
    return added;
  };
  let isRepeating = false;
  return {
    html: (rows) =>
      view.list.insertAdjacentHTML("beforeend", rows.map((row) => make(row).outerHTML).join("")),
    async oneByOne(rows) {
      for (const row of rows) {
        add([row]);
        await wait(gapMs);
      }
    },
    async byFrame(rows) {
      for (const row of rows) {
        add([row]);
        await frame();
      }
    },
    async blankFirst(rows) {
      for (const row of rows) {
        const [blank] = add([{ ...row, name: "", price: "" }]);
        await wait(gapMs);
        blank?.replaceWith(make(row));
      }
    },
    async skeleton(rows) {
      const blanks = rows.map(makeBlank);
      view.list.append(...blanks);
      await wait(drawMs);
      for (const [index, blank] of blanks.entries()) blank.replaceWith(make(rows[index] as Item));
    },
    async pricesLater(rows) {
      const added = add(rows.map((row) => ({ ...row, price: "" })));
      await wait(drawMs);
      for (const [index, row] of added.entries()) part(row, "i").append(rows[index]?.price ?? "");
    },
    async loading(rows) {
      const added = add(rows.map((row) => ({ ...row, price: "Loading…" })));
      await wait(drawMs);
      for (const [index, row] of added.entries()) part(row, "i").replaceChildren(rows[index]?.price ?? "");
    },
    shadow(rows) {
      for (const row of rows) {
        const host = makeBlank();
        host.attachShadow({ mode: "open" }).innerHTML = make(row).innerHTML;
        view.list.append(host);
      }
    },
    async fadeIn(rows) {
      const added = add(rows);
      for (const row of added) row.style.cssText = "opacity: 0; transition: opacity 0.3s";
      await frame();
      for (const row of added) row.style.opacity = "1";
    },
    async shownLater(rows) {
      const added = add(rows);
      for (const row of added) row.style.display = "none";
      await wait(drawMs);
      for (const row of added) row.style.display = "";
    },
    async remade(rows) {
      const added = add(rows);
      await wait(drawMs);
      for (const [index, row] of added.entries()) row.replaceWith(make(rows[index] as Item));
    },
    async allRemade() {
      await wait(Math.min(drawMs, 700));
      view.list.replaceChildren(...view.shown.map(make));
    },
    remadeAgainAndAgain() {
      view.list.replaceChildren(...view.shown.map(make));
      if (isRepeating) return;
      isRepeating = true;
      setInterval(() => view.list.replaceChildren(...view.shown.map(make)), 300);
    },
    async clones(rows) {
      add(rows);
      await wait(drawMs);
      view.list.replaceChildren(...[...view.list.childNodes].map((node) => node.cloneNode(true)));
    },
    async otherBox(rows) {
      const other = view.list.cloneNode(true) as HTMLElement;
      other.append(...rows.map(make));
      await wait(Math.min(drawMs, 700));
      view.list.replaceWith(other);
      view.list = other;
    },
    async sections(rows) {
      const section = document.createElement("section");
      section.append(...rows.map(make));
      await wait(drawMs);
      view.list.append(section);
    },
    async sortedLater(rows) {
      const added = add([...rows].reverse());
      await wait(drawMs);
      view.list.append(...added.reverse());
    },
    async filteredLater(rows) {
      const [sold] = add([...rows, { number: 0, name: "Sold", price: "0 EUR" }]).slice(-1);
      await wait(drawMs);
      sold?.remove();
    },
    async repeatedFirst(rows) {
      const again = add([...rows, ...rows.slice(0, 1)]).at(-1);
      await wait(drawMs);
      again?.remove();
    },
    async countedUp(rows) {
      const added = add(rows);
      const started = performance.now();
      for (let share = 0; share < 1; await frame()) {
        share = Math.min(1, (performance.now() - started) / 400);
        added.forEach((row, index) => {
          part(row, "i").textContent =
            `${Math.round((Number.parseFloat(rows[index]?.price ?? "0.5") - 0.5) * share)}.50 EUR`;
        });
      }
    },
    keptPages: add,
    viewTransition: (rows) => document.startViewTransition(() => add(rows)).updateCallbackDone,
    inView(rows) {
      for (const row of rows) {
        const blank = makeBlank();
        blank.style.minHeight = "60px";
        view.list.append(blank);
        new IntersectionObserver((seen, observer) => {
          if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
          observer.disconnect();
          blank.innerHTML = make(row).innerHTML;
        }).observe(blank);
      }
    },
    async badge(rows) {
      const added = add(rows);
      for (const row of added) row.insertAdjacentHTML("afterbegin", "<u>New</u>");
      await wait(drawMs);
      for (const row of added) part(row, "u").remove();
    },
    async linksLater(rows) {
      const links = add(rows).map((row) => part(row, "a"));
      const addresses = links.map((link) => link.getAttribute("href") ?? "");
      for (const link of links) link.setAttribute("href", "#");
      await wait(drawMs);
      for (const [index, link] of links.entries()) link.setAttribute("href", addresses[index] ?? "");
    },
    window() {
      const box = document.getElementById("box") as HTMLElement;
      const draw = () => {
        const first = Math.max(0, Math.floor(box.scrollTop / 60) - 2);
        const rows = view.shown.slice(first, first + 14).map(make);
        for (const [index, row] of rows.entries())
          row.style.cssText = `position:absolute;top:${(first + index) * 60}px;height:60px;min-height:0!important`;
        view.list.style.cssText = `position:relative;height:${view.shown.length * 60}px`;
        view.list.replaceChildren(...rows);
      };
      box.style.cssText = "height:500px;overflow:auto";
      box.onscroll = draw;
      draw();
    },
  };
}
