import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Pages, visit } from "../page.ts";
import { failing, noted, SHORTLY } from "../parts/noted.ts";

const cssMenu = `<style>nav ul { display: none } nav:hover ul { display: block }</style>
  <nav><a href="#" aria-label="Styled">☰</a><ul><li><a href="#" onclick="note('lamps')">Lamps</a></ul></nav>`;
const scriptedMenu = `<div id=menu><button>Scripted</button><div id=list hidden><p onclick="note('sofas')">Sofas</p></div></div>
  <script>
    let timer;
    menu.onmouseenter = () => { clearTimeout(timer); timer = setTimeout(() => { list.hidden = false; }, 200); };
    menu.onmouseleave = () => { clearTimeout(timer); timer = setTimeout(() => { list.hidden = true; }, 50); };
  </script>`;
const hover = (name: string): Step => ({ type: "hover", field_name: name });
const click = (name: string): Step => ({ type: "click", field_name: name });

export default {
  "a menu that opens under the pointer stays open for the click that follows": noted(
    cssMenu + scriptedMenu,
    [
      { ...hover("No menu"), optional: true, ...SHORTLY } as Step,
      hover("Styled"),
      click("Lamps"),
      hover("Scripted"),
      click("Sofas"),
    ],
    "lamps;sofas;",
  ),
  "a menu that is not open": {
    variants: {
      "by styles": failing(cssMenu, { ...click("Lamps"), ...SHORTLY } as Step, "element_not_found"),
      "by scripts": failing(scriptedMenu, { ...click("Sofas"), ...SHORTLY } as Step, "element_not_found"),
    },
  },
  "what is not there": failing("", { ...hover("Menu"), ...SHORTLY } as Step, {
    code: "element_not_found",
    message: 'no element to hover over called "Menu"',
  }),
  "by selector, in a frame": {
    html: `<iframe src="/menu"></iframe>`,
    routes: { "/menu": `<b onmouseenter="this.textContent = 'Open'">Menu</b>` },
    steps: [
      visit(),
      { type: "hover", selector: "b", frame: "iframe" },
      { type: "get_text", field_name: "menu", selector: "b", frame: "iframe" },
    ],
    rows: [{ menu: "Open" }],
  },
  "an old list is not taken for the one that is loaded under the pointer": {
    html: `<b>Lamps</b><ul id=out><li>Old</li></ul><script>
    document.querySelector("b").onmouseenter = () => setTimeout(async () => {
      out.innerHTML = await (await fetch("/lamps")).text(); }, 200);</script>`,
    routes: {
      "/lamps": (_, response) => {
        setTimeout(() => response.end("<li>New</li>"), 100);
      },
    },
    steps: [
      visit(),
      { type: "hover", selector: "b" },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
    rows: [{ name: "New" }],
  },
} satisfies Pages;
