import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Pages } from "../page.ts";
import { noted } from "../parts/noted.ts";

/** An element below the view whose script starts only some time after it has come into view. */
const below = (html: string, event: string) => `<style>#it { margin-top: 1500px }</style>${html}<script>
  const it = document.getElementById("it");
  new IntersectionObserver(([entry], observer) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    setTimeout(() => it.addEventListener("${event}", () => note("${event}"), { once: true }), 400);
  }).observe(it);
</script>`;
const late = (html: string, event: string, step: Step) => noted(below(html, event), [step], `${event};`);

export default {
  "an element whose script starts once it is in view": {
    variants: {
      "is clicked": late("<button id=it>All</button>", "click", { type: "click", field_name: "All" }),
      "is pointed at": late("<p id=it>All</p>", "mouseenter", { type: "hover", selector: "#it" }),
      "is written into": late("<input id=it placeholder=Search>", "input", {
        type: "write_input",
        field_name: "Search",
        value: "lamp",
      }),
      "gets a key": late("<input id=it>", "keydown", { type: "press_key", selector: "#it", value: "Enter" }),
      "is chosen from": late("<select id=it><option>all<option>new</select>", "change", {
        type: "select_dropdown",
        selector: "#it",
        value: "new",
      }),
    },
  },
} satisfies Pages;
