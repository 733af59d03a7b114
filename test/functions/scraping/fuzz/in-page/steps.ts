/// <reference lib="dom" />
import type { PageConfig } from "../page-config.ts";

export type Steps = Record<Exclude<PageConfig["step"], "none">, () => void>;

/** Controls that a step of the scraper uses, after which the page calls `ask`. Runs in the page; its text is sent, so it refers to nothing outside. */
export function createSteps(ask: () => void): Steps {
  const title = document.querySelector("h1") as HTMLElement;
  const insert = (html: string) => {
    title.insertAdjacentHTML("afterend", html);
    return title.nextElementSibling as HTMLElement;
  };
  return {
    tab() {
      insert("<button class=tab>Lamps</button>").onclick = ask;
    },
    dropdown() {
      insert("<select><option>All<option>Lamps</select>").onchange = ask;
    },
    search() {
      const input = insert("<input class=search>") as HTMLInputElement;
      let timer: ReturnType<typeof setTimeout> | undefined;
      input.oninput = () => {
        clearTimeout(timer);
        timer = setTimeout(() => input.value === "lamp" && ask(), 300);
      };
    },
  };
}
