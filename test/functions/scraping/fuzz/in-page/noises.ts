/// <reference lib="dom" />
import type { PageConfig, PageTask } from "../page-config.ts";
import type { View } from "./drawings.ts";

export type Noises = Record<PageConfig["noises"][number], () => void>;

/** What else a page does. Runs in the page; its text is sent, so it refers to nothing outside. */
export function createNoises({ base }: PageTask, view: View): Noises {
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const clock = document.getElementById("clock") as HTMLElement;
  return {
    clock: () => setInterval(() => clock.replaceChildren(String(Date.now())), 170),
    endlessRequest: () => fetch(`${base}/endless`).catch(() => {}),
    async polling() {
      for (;;) {
        await fetch(`${base}/messages`).catch(() => {});
        await wait(1_000);
      }
    },
    spinner: () =>
      clock.animate([{ rotate: "0deg" }, { rotate: "360deg" }], {
        duration: 1_000,
        iterations: Number.POSITIVE_INFINITY,
      }),
    frameLoop: function move() {
      clock.style.translate = `${performance.now() % 50}px`;
      requestAnimationFrame(move);
    },
    work: () =>
      setInterval(() => {
        let sum = 0;
        for (let count = 0; count < 1e7; count += 1) sum += count % 7;
        clock.dataset.sum = String(sum);
      }, 90),
    advertisement: () =>
      setTimeout(() => {
        const between = view.list.children[1];
        const advertisement = Object.assign(document.createElement("aside"), { textContent: "Buy now" });
        if (between) between.before(advertisement);
        else view.list.append(advertisement);
      }, 400),
    attributes: () =>
      setInterval(() => {
        for (const row of document.querySelectorAll<HTMLElement>(".item"))
          row.dataset.time = String(Date.now());
      }, 230),
    consent: () =>
      setTimeout(() => {
        const dialog = Object.assign(document.createElement("div"), {
          innerHTML: "Cookies? <button>Accept</button>",
        });
        dialog.style.cssText = "position: fixed; inset: 0; z-index: 9";
        dialog.onclick = () => dialog.remove();
        document.body.append(dialog);
      }, 300),
    lateSheet: () =>
      setTimeout(() => {
        const sheet = Object.assign(document.createElement("link"), {
          rel: "stylesheet",
          href: `${base}/late.css`,
        });
        document.head.append(sheet);
      }, 200),
    title: () =>
      setInterval(() => {
        document.title = String(Date.now());
      }, 310),
  };
}
