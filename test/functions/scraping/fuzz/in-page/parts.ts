/// <reference lib="dom" />
import type { PageTask } from "../page-config.ts";

/** Shows the part of a row whose button is pressed. Runs in the page; its text is sent, so it refers to nothing outside. */
export function showParts({ base, part, partSource, drawMs }: PageTask): void {
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const textOf = async (number: string) => {
    if (partSource === "timer") await wait(drawMs);
    return partSource === "fetch" ? (await fetch(`${base}/stock?page=${number}`)).text() : `${number} left`;
  };
  addEventListener("click", async (event) => {
    const button = event.composedPath()[0] as HTMLElement;
    const number = button.dataset?.of;
    if (number === undefined) return;
    const text = await textOf(number);
    if (part === "panel") {
      button.insertAdjacentHTML("afterend", `<span class=stock>${text}</span>`);
      return;
    }
    document.getElementById("dialog")?.remove();
    const dialog = Object.assign(document.createElement("div"), { id: "dialog" });
    dialog.setAttribute("role", "dialog");
    dialog.style.cssText = "position:fixed;right:0;bottom:0";
    dialog.innerHTML = `<span class=stock>${text}</span>`;
    document.body.append(dialog);
  });
}

/** Shows the part on the page of a row. Runs in the page, as above. */
export async function showPart({ base, partSource, drawMs }: PageTask, number: number): Promise<void> {
  if (partSource === "timer") await new Promise((done) => setTimeout(done, drawMs));
  const text =
    partSource === "fetch" ? await (await fetch(`${base}/stock?page=${number}`)).text() : `${number} left`;
  document.body.insertAdjacentHTML("beforeend", `<p class=stock>${text}</p>`);
}
