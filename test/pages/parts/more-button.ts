import { cards } from "../page.ts";

/**
 * A list with the cards 1 to 4, and a button `more`. Each press runs the next of these steps; the button is gone after the
 * last one. In a step, `add()` adds the next four cards, and `next()` is their HTML.
 */
export const moreButton = (steps: readonly string[], name = "Show more"): string => `
  <ul id=list>${cards(1, 4)}</ul><button id=more>${name}</button><script>
  let shown = 4;
  const list = document.getElementById("list"), more = document.getElementById("more");
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const card = (n) => '<li class="card">Lamp ' + n + "</li>";
  const next = () => [1, 2, 3, 4].map(() => card(++shown)).join("");
  const add = () => list.insertAdjacentHTML("beforeend", next());
  const steps = [${steps.map((step) => `async () => { ${step} }`).join(",\n")}];
  more.onclick = async () => { await steps.shift()?.(); if (steps.length === 0) more.remove(); };
  </script>`;

/** The same step for each of `presses` presses. */
export const times = (presses: number, step: string): string[] => Array.from({ length: presses }, () => step);
