import { failing, noted } from "../parts/noted.ts";

const search = (on: string) => `<input aria-label=Search on${on}="note(value)">`;
const marked = `<div>${search("blur").replace("value)", 'value)" oninput="this.dataset.dirty = value; this.parentNode.className = value')}</div>`;
const write = { type: "write_input", field_name: "Search", value: "lamp" } as const;

const editor = (script: string) =>
  `<div contenteditable role=textbox aria-label=Search id=e></div><script>${script}</script>`;

export default {
  "an editor": {
    variants: {
      "takes the text and Enter": noted(
        editor('e.onkeydown = ({ key }) => { if (key === "Enter") note(e.textContent); }'),
        [{ ...write, submit: true }],
        "lamp;",
      ),
      "takes single keys only": noted(
        editor(`e.addEventListener("beforeinput", (event) => event.data?.length > 1 && event.preventDefault());
          e.onkeydown = ({ key }) => { if (key === "Enter") note(e.textContent); }`),
        [{ ...write, submit: true }],
        "lamp;",
      ),
      "makes a tag of the text": noted(
        editor(
          `e.oninput = () => { e.insertAdjacentHTML("beforebegin", "<b>" + e.textContent + "</b>"); note(e.textContent); e.textContent = ""; }`,
        ),
        [write],
        "lamp;",
      ),
      "takes no text": failing(
        editor('e.addEventListener("beforeinput", (event) => event.preventDefault())'),
        write,
        { code: "element_unusable", message: '"Search" on' },
      ),
    },
  },
  "a page takes the text": {
    variants: {
      "with its changes": noted(search("change"), [write], "lamp;"),
      "once the input is left": noted(search("blur"), [write], "lamp;"),
      "once the input is left, which shows meanwhile that it has one": noted(marked, [write], "lamp;"),
      "once the input is left, as Enter does nothing": noted(marked, [{ ...write, submit: true }], "lamp;"),
      "from the input, which is in focus afterwards": noted(
        `${search("change")}<script>onkeydown = ({ key, target }) => key === "Enter" && note(target.value + key)</script>`,
        [write, { type: "press_key", value: "Enter" }],
        "lamp;lampEnter;",
      ),
    },
  },
  "suggestions for the text stay, although they go once the input is left": noted(
    `<input aria-label=Search oninput="found.hidden = false" onblur="found.hidden = true">
    <ul id=found hidden><li onmousedown="event.preventDefault()" onclick="note('lamps')">Lamps</ul>`,
    [write, { type: "click", field_name: "Lamps" }],
    "lamps;",
  ),
  "suggestions that a class of their box shows stay": noted(
    `<style>div:not(.open) ul { display: none }</style><div>
    <input aria-label=Search oninput="this.parentNode.className = 'open'" onblur="this.parentNode.className = ''">
    <ul><li onmousedown="event.preventDefault()" onclick="note('lamps')">Lamps</ul></div>`,
    [write, { type: "click", field_name: "Lamps" }],
    "lamps;",
  ),
};
