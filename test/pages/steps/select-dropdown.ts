import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type ExpectedFailure, type Page, type Pages, visit } from "../page.ts";
import { answer } from "../parts/documents.ts";
import { noted } from "../parts/noted.ts";

const choose = (value: string, more: Partial<Step> = {}) =>
  ({ type: "select_dropdown", field_name: "City", value, timeout_ms: 30_000, ...more }) as Step;
/** Of a dropdown that does not have the option. */
const MISSING = { timeout_ms: 2_000 };
const cities = ["Bergen", "Oslo", "Trondheim"];
const each = (make: (city: string) => string, names = cities) => names.map(make).join("");

/** `unfold()` shows the list, and `pick(city)` hides it and notes the choice. */
const helpers = `<script>
  const byId = (id) => document.getElementById(id);
  const unfold = () => { byId("list").hidden = false; };
  const pick = (city) => { byId("value").textContent = city; byId("list").hidden = true; note(city); };
</script>`;

/** Structures as widget libraries make them. */
const widgets: Record<string, string> = {
  "antd: an input under its wrapper, options without roles in a portal": `
    <div class="ant-select" onmousedown="portal.style.display = 'block'" style="position:relative;width:200px;height:32px">
      <input role=combobox aria-haspopup=listbox aria-controls=ant_list style="opacity:0;position:absolute;inset:0">
      <div style="position:absolute;inset:0;background:#fff" id=value>City</div></div>
    <div id=portal style="display:none;position:absolute;top:60px">
      <div id=ant_list role=listbox style="width:0;height:0;overflow:hidden">${each((city) => `<div role=option aria-label="${city}">${city}</div>`)}</div>
      <div>${each((city) => `<div class="ant-select-item" aria-selected=false title="${city}" onclick="portal.style.display = 'none'; byId('value').textContent = '${city}'; note('${city}')"><div>${city}</div></div>`)}</div></div>`,
  "react-select: a placeholder beside a tiny input, classes without a meaning": `
    <div class="css-b62m3t" style="width:200px"><div class="css-13cymwt" onmousedown="unfold()">
      <div class="css-hlgwow"><div class="css-1jqq78o" id=value>City</div><div><input role=combobox aria-haspopup=true aria-autocomplete=list style="width:2px;opacity:0;border:0"></div></div></div>
      <div id=list hidden>${each((city) => `<div role=option onclick="pick('${city}')">${city}</div>`)}</div></div>`,
  "MUI: a combobox named by a label in its border, a list in a popover": `
    <div><label id=l>City</label><div role=combobox tabindex=0 aria-haspopup=listbox aria-labelledby=l onmousedown="unfold()"><span id=value>\u200b</span></div></div>
    <div id=list hidden role=presentation style="position:fixed;inset:0"><ul role=listbox aria-labelledby=l style="margin-top:80px">${each((city) => `<li role=option data-value="${city.toLowerCase()}" onclick="pick('${city}')">${city}</li>`)}</ul></div>`,
  "Headless UI: a button with a list that exists only while it is open": `
    <span>City</span> <button aria-haspopup=listbox aria-label=City id=value onclick="document.body.insertAdjacentHTML('beforeend', made.innerHTML)">Any</button>
    <template id=made><div role=listbox id=list>${each((city) => `<div role=option onclick="pick('${city}'); byId('list').remove()">${city}</div>`)}</div></template>`,
  "Vuetify: an input covered by its field, a label that floats over it": `
    <div class="v-input v-select"><div class="v-field" onmousedown="unfold()" style="position:relative;height:50px;width:200px">
      <div class="v-field__input" style="position:absolute;inset:0;z-index:2"><span id=value></span></div>
      <label for=v style="position:absolute;pointer-events:none">City</label><input id=v type=text readonly role=combobox aria-haspopup=listbox></div></div>
    <div class="v-overlay" id=list hidden><div class="v-list" role=listbox>${each((city) => `<div class="v-list-item" role=option onclick="pick('${city}')"><div>${city}</div></div>`)}</div></div>`,
  "Angular Material: a custom element whose label is beside it": `
    <mat-form-field style="display:block"><label id=m><mat-label>City</mat-label></label>
    <mat-select style="display:block" tabindex=0 onclick="unfold()"><span id=value>–</span></mat-select></mat-form-field>
    <div id=list hidden>${each((city) => `<mat-option role=option onclick="pick('${city}')"><span>${city}</span></mat-option>`)}</div>`,
  "shadow roots: a control and options in roots of their own": `
    <x-select label=City></x-select><script>
    const host = document.querySelector("x-select");
    host.attachShadow({ mode: "open" }).innerHTML = '<label for=c>City</label><div id=c role=combobox tabindex=0 aria-label=City>Any</div><div id=box hidden><slot></slot></div>';
    host.innerHTML = ${JSON.stringify(each((city) => `<x-option>${city}</x-option>`))};
    const shadow = host.shadowRoot;
    shadow.getElementById("c").onclick = () => { shadow.getElementById("box").hidden = false; };
    for (const option of host.children) {
      option.attachShadow({ mode: "open" }).innerHTML = "<div role=option><slot></slot></div>";
      option.onclick = () => { shadow.getElementById("c").textContent = option.textContent; shadow.getElementById("box").hidden = true; note(option.textContent); };
    }</script>`,
  "no role at all: a styled box with a list, named by the text before it": `
    <p><b>City</b> <span class=box style="cursor:pointer;border:1px solid" onclick="unfold()"><span id=value>Any</span> ▾</span></p>
    <ul id=list hidden>${each((city) => `<li onclick="pick('${city}')">${city}</li>`)}</ul>`,
  "Materialize: an input that shows what is chosen, and takes no typing": `
    <div class="select-wrapper"><input id=value readonly value=City onclick="unfold()"><ul id=list hidden>${each((city) => `<li><span onclick="byId('value').value = '${city}'; byId('list').hidden = true; note('${city}')">${city}</span></li>`)}</ul></div>`,
  "PrimeReact: an input that is cut off, in a wide box with a button": `
    <div style="position:relative;display:flex;height:40px;width:600px"><div onclick="unfold()" style="width:200px"><div style="position:absolute;top:-10px;width:1px;height:1px;overflow:hidden">
      <input id=p readonly aria-haspopup=listbox></div><span id=value>Any</span></div><label for=p style="position:absolute;top:-20px">City</label><button onclick="note('sent')">Send</button></div>
    <div id=list hidden>${each((city) => `<div role=option onclick="pick('${city}')">${city}</div>`)}</div>`,
  "no role at all, named by what it shows": `
    <div style="cursor:pointer" onclick="unfold()" id=value>City</div>
    <div id=list hidden>${each((city) => `<div onclick="pick('${city}')"><i>•</i> ${city}</div>`)}</div>`,
  "Bootstrap: a menu of links, which shows nothing of what was chosen": `
    <button class=dropdown-toggle aria-expanded=false onclick="unfold()">City</button><span id=value hidden></span>
    <ul id=list hidden>${each((city) => `<li><a href="#" onclick="pick('${city}')">${city}</a></li>`)}</ul>`,
};

const nativeOptions = `<option>Any</option>${each((city) => `<option value="${city[0]}">${city}</option>`)}`;
const CUT_OFF = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
const nativeList = `<div id=list hidden>${each((city) => `<div class=item onclick="pick('${city}'); set('${city}')">${city}</div>`)}</div>
  <script>const set = (city) => { byId("s").value = city[0]; };</script>`;
const behindWidgets: Record<string, string> = {
  "Select2: cut off, the widget behind it": `<label for=s>City</label><select id=s style="${CUT_OFF}">${nativeOptions}</select>
    <span class="select2 select2-container" onmousedown="unfold()"><span class="select2-selection" role=combobox tabindex=0><span id=value>Any</span></span></span>${nativeList}`,
  "Slim Select: not displayed": `<label for=s>City</label><select id=s style="display:none">${nativeOptions}</select>
    <div class="ss-main" tabindex=0 role=combobox onclick="unfold()"><span id=value>Any</span></div>${nativeList}`,
  "Materialize: after all of the widget": `<label for=s>City</label><div><input class=select-dropdown readonly id=v onclick="unfold()"><ul id=list hidden>${each((city) => `<li onclick="byId('v').value = '${city}'; pick('${city}'); set('${city}')">${city}</li>`)}</ul>
    <i hidden id=value></i><svg width=10 height=10></svg><select id=s style="${CUT_OFF}">${nativeOptions}</select></div><script>const set = (city) => { byId("s").value = city[0]; };</script>`,
  "bootstrap-select: hardly visible, with the name of the widget": `<div><select id=s title=City style="position:absolute;width:.5px;opacity:0">${nativeOptions}</select>
    <button role=combobox aria-haspopup=listbox title=City onclick="unfold()" id=value>Any</button></div>${nativeList}`,
  "Choices.js: in the widget": `<label for=s>City</label><div class=choices onclick="unfold()"><div class="choices__inner"><select id=s hidden>${nativeOptions}</select><div class="choices__list choices__list--single" id=value>Any</div></div></div>${nativeList}`,
  "Tom Select: a label that leads to the widget's input": `<label for=t>City</label><select id=s style="${CUT_OFF}">${nativeOptions}</select>
    <div class="ts-wrapper"><div class="ts-control" onclick="unfold()"><div class=item id=value>Any</div><input id=t type=text role=combobox style="width:4px"></div></div>${nativeList}`,
};

const chosen = (html: string, log = "Oslo;", ...steps: Step[]): Page =>
  noted(helpers + html, steps.length > 0 ? steps : [choose("Oslo")], log);
const refused = (html: string, step: Step, failure: Exclude<ExpectedFailure, string>): Page => ({
  html: `<!doctype html>${helpers}${html}`,
  steps: [visit(), step],
  failure: { step: 1, ...failure },
});
const missing = (html: string): Page =>
  refused(html, choose("Osloo"), {
    code: "option_not_found",
    message: /has no option "Osloo". It has, for example: "(• )?Oslo"/,
  });
const ofAll = (pages: Record<string, string>, make: (html: string) => Page) =>
  Object.fromEntries(Object.entries(pages).map(([name, html]) => [name, make(html)]));

/** A list whose options can be taken back by a click. */
const takesBack = (
  shown: string,
) => `<div id=around class="picker-select"><button aria-haspopup=listbox aria-label=City onclick="unfold()"><b id=value>${shown}</b></button>
  <ul id=list hidden style="margin:0">${each((city) => `<li onclick="pick(byId('value').textContent === '${city}' ? 'Any' : '${city}')"><i><b>${city}</b></i></li>`)}</ul></div>`;

/** An input with a list that its script fills. */
const searchable = (script: string, isInside = false, type = "") => `
  <label for=c>City</label><div class="combo"><input id=c ${type} role=combobox aria-autocomplete=list aria-controls=list autocomplete=off>${isInside ? "<ul id=list role=listbox hidden></ul></div>" : "</div><ul id=list role=listbox hidden></ul>"}
  <script>
    const show = (names) => {
      byId("list").hidden = names.length === 0;
      byId("list").innerHTML = names.map((name) => "<li role=option onclick='take(this)'>" + name + "</li>").join("");
    };
    const take = (item) => { byId("c").value = item.textContent; byId("list").hidden = true; note(item.textContent); };
    ${script}
  </script>`;
const search = `byId("c").oninput = async () => show((await (await fetch("/cities?q=" + byId("c").value)).json()));`;
const searched = (isInside: boolean, type?: string): Page => ({
  ...chosen(searchable(search, isInside, type), "Trondheim;", choose("Trondheim")),
  routes: {
    "/cities": ({ url = "" }, response) => {
      const q = new URL(url, "http://site").searchParams.get("q")?.toLowerCase() ?? "";
      const found = cities.filter((city) => q !== "" && city.toLowerCase().startsWith(q));
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
      }, 300);
    },
  },
});

/** A button, and a list that its script draws. */
const drawn = (list: string, script: string, popup = "listbox") => `
  <button aria-haspopup=${popup} aria-label=City id=value onclick="unfold()">Any</button>${list}<script>${script}</script>`;
const windowed = (overflow: string) =>
  drawn(
    `<div id=list role=listbox hidden style="height:100px;overflow:${overflow};position:relative"><div style="height:4000px"></div></div>`,
    `const draw = () => {
      for (const old of byId("list").querySelectorAll("[role=option]")) old.remove();
      const first = Math.floor(byId("list").scrollTop / 20);
      for (let n = first; n < Math.min(200, first + 6); n += 1)
        byId("list").insertAdjacentHTML("beforeend", "<div role=option style='position:absolute;top:" + n * 20 + "px' onclick='pick(this.textContent)'>City " + n + "</div>");
    };
    byId("list").onscroll = draw;
    byId("value").addEventListener("click", draw);`,
  );
/** A list that is drawn anew as the mouse is pressed. */
const redrawn = (role: string, option: string, popup = "listbox") =>
  drawn(
    `<div id=list ${role} hidden></div>`,
    `const draw = () => { byId("list").innerHTML = ${JSON.stringify(cities)}.map((city) => "<div ${option} onclick='pick(this.textContent)'>" + city + "</div>").join(""); };
    let presses = 0;
    byId("list").onmousedown = () => { if (presses++ === 0) draw(); };
    draw();`,
    popup,
  );
/** Lists of one page, each by its name. */
const named = (name: string, id: string, options: readonly string[]) =>
  `<button aria-haspopup=listbox aria-label="${name}" onclick="byId('${id}').hidden = false">Any</button>
  <ul id=${id} role=listbox hidden>${options.map((html) => `<li role=option onclick="this.parentNode.hidden = true; this.parentNode.previousElementSibling.textContent = this.innerText; note(this.innerText)">${html}</li>`).join("")}</ul>`;
const meant: [name: string, options: string[], value: string, log: string][] = [
  ["Exact text before others that begin so", ["Oslo Airport", "Oslo"], "Oslo", "Oslo"],
  ["White space as it is shown", ["New\n  York", "Oslo"], "New York", "New York"],
  ["Case, where it is the only one", ["OSLO", "Bergen"], "Oslo", "OSLO"],
  ["Text with something beside it", ["✓ <b>Oslo</b>", "<b>Bergen</b> (2)"], "Bergen", "Bergen (2)"],
];
const chips = `<div class="multi-select" style="width:300px"><div role=combobox aria-label=City tabindex=0 style="min-height:24px" id=box onclick="unfold()"></div></div>
  <ul id=list hidden role=listbox aria-multiselectable=true style="position:absolute;margin:0;background:#fff;width:300px">${each((city) => `<li role=option aria-selected=false onclick="toggle(this)">${city}</li>`)}</ul>
  <button onclick="note([...document.querySelectorAll('.chip b')].map((chip) => chip.textContent).join('+'))">Show</button>
  <script>
    addEventListener("keydown", ({ key }) => { if (key === "Escape") byId("list").hidden = true; });
    const toggle = (item) => {
      const isOn = item.ariaSelected === "true";
      item.ariaSelected = String(!isOn);
      if (isOn) byId("box").querySelector("[data-city=" + item.textContent + "]").remove();
      else byId("box").insertAdjacentHTML("beforeend", "<span class=chip data-city=" + item.textContent + "><b>" + item.textContent + "</b><button class=remove onclick='event.stopPropagation(); note(\\"removed\\"); this.parentNode.remove()'>×</button></span>");
    };
  </script>`;
const options = (city: string) => `<div role=option onclick="pick('${city}')">${city}</div>`;
const unlike = (html: string, value: string, more: object = MISSING) =>
  refused(html, choose(value, more), { code: "option_not_found" });

export default {
  "a widget": {
    variants: ofAll(widgets, (html) => chosen(html)),
  },
  "a widget without the option": {
    variants: ofAll(
      Object.fromEntries(Object.entries(widgets).filter((_, index) => index % 4 === 0)),
      missing,
    ),
  },
  "any widget without the option": {
    variants: ofAll(
      Object.fromEntries(Object.entries(widgets).filter((_, index) => index % 4 !== 0)),
      missing,
    ),
    slow: "waits for options that may still come",
  },
  "a native dropdown": {
    variants: {
      "with several options of the same text, by the value of one": chosen(
        `<label>City <select onchange="note(value)"><option value=a>Oslo<option value=b>Oslo<option value=c>Rome</select></label>`,
        "b;",
        choose("b"),
      ),
      "with an option that stands in it twice": chosen(
        `<label>City <select onchange="note(value)"><option>Any<option value=a>Oslo<option value=b>Rome<option value=a>Oslo</select></label>`,
        "a;",
      ),
      "by label and value, also an option that comes late": noted(
        `<select aria-label=Sort onchange="note(value)"><option value=a>Name</option></select>
        <label>City <select id=many multiple onchange="note([...selectedOptions].map((o) => o.text).join('+'))">${each((city) => `<option>${city}</option>`)}</select></label>
        <label>Suggested <input list=l onchange="note(value)"></label><datalist id=l>${each((city) => `<option value="${city}">`)}</datalist>
        <script>setTimeout(() => { document.querySelector("select").innerHTML += "<option value=p>Price, low to high</option>"; }, 200)</script>`,
        [
          choose("Price, low to high", { field_name: "Sort" }),
          choose("a", { field_name: "Sort" }),
          // A dropdown that takes several adds to what is chosen.
          choose("Oslo"),
          choose("bergen"),
          choose("Oslo"),
          choose("Oslo", { field_name: "Suggested" }),
        ],
        "p;a;Oslo;Bergen+Oslo;Bergen+Oslo;Oslo;",
      ),
      "with an option that may break within a word": chosen(
        `<label>City <select onchange="note(value)"><option>Any<option value=a>Os&shy;lo</select></label>`,
        "a;",
      ),
      "without the option": refused(
        "<select><option>Name</option><option>Price, low to high</option></select>",
        choose("Prise, low to hih", { field_name: undefined, timeout_ms: 500 }),
        { code: "option_not_found", message: '"Price, low to high"' },
      ),
      "suggestions without the option": refused(
        `<label>City <input list=l></label><datalist id=l>${each((city) => `<option value="${city}">`)}</datalist>`,
        choose("Osloo", MISSING),
        { code: "option_not_found", message: '"Oslo"' },
      ),
    },
  },
  "a native dropdown behind a widget": {
    variants: {
      ...ofAll(behindWidgets, (html) =>
        chosen(
          html,
          "Oslo;Bergen;",
          choose("Oslo"),
          choose("Bergen", { field_name: undefined, selector: "#s" }),
        ),
      ),
      "is set itself where the widget does not offer what it has": chosen(
        `<label for=s>City</label><select id=s style="display:none" onchange="note(value)">${nativeOptions}</select>
        <div class="nice-select" tabindex=0>Any</div>`,
        "O;",
        choose("Oslo"),
      ),
      "is hidden without a widget, and what stands beside it is not clicked": refused(
        `<label for=s>City</label><select id=s hidden>${nativeOptions}</select><button onclick="note('sent')">Send</button>`,
        choose("Oslo", MISSING),
        { code: "element_not_found", message: "is hidden" },
      ),
    },
  },
  "several options": {
    variants: {
      "chips: one is added, none is taken back, and the list is closed": chosen(
        chips,
        "Oslo+Bergen;",
        choose("Oslo"),
        choose("Bergen"),
        choose("Oslo"),
        { type: "click", field_name: "Show" },
      ),
      "a placeholder that goes with the first choice, while the list stays open": chosen(
        `<div role=combobox aria-expanded=false tabindex=-1 style="position:relative;width:300px;border:1px solid" onmousedown="unfold()">
          <div id=tags></div><input style="border:0;width:20px"><div id=hint class="select-placeholder" style="position:absolute;top:0;left:30px;pointer-events:none">City</div>
          <ul id=list role=listbox hidden>${each((city) => `<li role=option onclick="byId('hint')?.remove(); byId('tags').insertAdjacentHTML('beforeend', '<b>${city}<i>×</i></b>'); note('${city}')"><span>${city}</span></li>`)}</ul></div>`,
      ),
      "no role: the chosen one goes from a list that stays open until the next press": noted(
        `${helpers}<div id=d class=dropdown tabindex=0 style="width:300px;position:relative"><span id=value></span><div id=hint>City</div><div id=list style="position:absolute;display:none">${each((city) => `<div>${city}</div>`)}</div></div>
        <script>d.onclick = ({ target }) => {
          if (target.parentNode !== list) { list.style.display = list.style.display ? "" : "none"; return; }
          byId("hint")?.remove(); value.insertAdjacentHTML("beforeend", "<a>" + target.textContent + "</a>"); target.remove(); note(target.textContent);
        };</script>`,
        [choose("Bergen"), choose("Oslo", { field_name: undefined, selector: "#d" })],
        "Bergen;Oslo;",
      ),
      "checkboxes, of which one is checked already": chosen(
        `<button aria-haspopup=true onclick="unfold()">City</button><script>onclick = ({ target }) => { if (target === document.body) byId("list").hidden = true; };</script>
        <div id=list hidden>${each((city) => `<label><input type=checkbox ${city === "Oslo" ? "checked" : ""} onchange="note(this.parentNode.innerText.trim() + checked)">${city}</label>`)}</div>`,
        "Bergentrue;",
        choose("Oslo"),
        choose("Bergen"),
      ),
    },
  },
  "an option that a click takes back": {
    variants: {
      "is left as it is if it is chosen": chosen(takesBack("Oslo"), ""),
      "beside the control, is not taken for what is chosen": chosen(
        takesBack("Any"),
        "Oslo;Bergen;",
        choose("Oslo"),
        choose("Bergen"),
      ),
      "is left as it is if the list does not have it": chosen(
        takesBack("Oslo").replace(/<li[^>]*><i><b>Oslo.*?<\/li>/, ""),
        "",
      ),
    },
  },
  "a wide box that is open nowhere but at its start, with a button in its middle": chosen(
    `<div id=d style="display:flex;justify-content:space-between;width:600px"><div onclick="unfold()" style="height:30px;width:100px" id=value>Any</div><button onclick="note('sent')">Send</button><i></i></div>
    <div id=list hidden>${each(options)}</div>`,
    "Oslo;",
    choose("Oslo", { field_name: undefined, selector: "#d" }),
  ),
  "a list that is always open": chosen(
    `<ul role=listbox aria-label=City>${each((city) => `<li role=option onclick="this.ariaSelected = 'true'; note('${city}')">${city}</li>`)}</ul>`,
  ),
  "options that are not there at first": {
    variants: {
      "a server finds them for what is typed": searched(false),
      "in the control, which shows nothing but the option before it is chosen": searched(true),
      "the type of its input is unknown": searched(false, "type=textarea"),
      "they come some time after the list opened": chosen(
        searchable(
          `byId("c").onclick = () => { show(["Loading…"]); setTimeout(() => show(${JSON.stringify(cities)}), 900); };`,
        ),
      ),
      "a list that draws only what is in view": chosen(windowed("auto"), "City 57;", choose("City 57")),
      "a list that draws only what is in view, without a scrollbar": chosen(
        windowed("hidden"),
        "City 57;",
        choose("City 57"),
      ),
      "a veil covers the list while its options load": chosen(
        `<button aria-haspopup=listbox aria-label=City id=value onclick="unfold(); setTimeout(() => byId('veil').remove(), 2_500)">Any</button>
        <div id=list role=listbox hidden>${each(options)}</div><div id=veil style="position:fixed;inset:0;top:26px"></div>`,
      ),
    },
  },
  "a list that is drawn again and again for a while": {
    ...chosen(
      searchable(`let timer; byId("c").oninput = () => { clearInterval(timer); const { value } = byId("c");
        if (value === "") { show([]); return; }
        const end = Date.now() + 1500;
        timer = setInterval(() => { show(${JSON.stringify(cities)}.filter((city) => city.startsWith(value))); if (Date.now() >= end) clearInterval(timer); }, 20); };`),
      "Trondheim;",
      choose("Trondheim"),
    ),
  },
  "a list that is drawn anew under the click": {
    variants: {
      listbox: chosen(redrawn("role=listbox", "role=option")),
      menu: chosen(redrawn("role=menu", "role=menuitem", "menu")),
      "no role": chosen(redrawn("", "")),
    },
  },
  "a page that is busy with the choice for longer than a click may take": {
    ...chosen(
      `<button aria-haspopup=listbox aria-label=City id=value onclick="unfold()">Any</button>
      <div id=list role=listbox hidden>${each((city) => `<div role=option onclick="ask(); pick('${city}')">${city}</div>`)}</div><script>
      const ask = () => { const request = new XMLHttpRequest(); request.open("GET", "/slow", false); request.send(); };</script>`,
      "Oslo;",
      choose("Oslo", { timeout_ms: 1_000 }),
    ),
    routes: { "/slow": answer("", { ms: 1_700 }) },
  },
  "which option is meant": noted(
    helpers + meant.map(([name, all], index) => named(name, `list${index}`, all)).join(""),
    meant.map(([name, , value]) => choose(value, { field_name: name })),
    meant.map(([, , , log]) => `${log};`).join(""),
  ),
  "no option is meant": {
    variants: {
      "two differ from it in case alone": unlike(named("City", "list", ["OSLO", "oslo"]), "Oslo"),
      "text of the page is none": unlike(
        `<p>Hamar</p>${named("City", "list", cities)}<script>setInterval(() => document.body.append("Hamar"), 200)</script>`,
        "Hamar",
      ),
      "a list that never ends may have more": refused(
        drawn(
          `<div id=list role=listbox hidden style="height:100px;overflow:auto"></div>`,
          `let n = 0; const add = () => {
          for (const end = n + 10; n < end; n += 1) byId("list").insertAdjacentHTML("beforeend", "<div role=option>City " + n + "</div>"); };
          add(); byId("list").onscroll = add;`,
        ),
        choose("Oslo", MISSING),
        { code: "option_not_found", message: /did not show the option "Oslo" within 2000 ms.* timeout_ms/ },
      ),
    },
  },
  "what fails": {
    variants: {
      "a dropdown that does not take the choice": refused(
        `<button role=combobox aria-haspopup=listbox aria-label=City onclick="unfold()">Any</button>
        <ul id=list role=listbox hidden>${each((city) => `<li role=option onclick="byId('list').hidden = true">${city}</li>`)}</ul>`,
        choose("Oslo", { timeout_ms: 4_000 }),
        {
          code: "element_unusable",
          message: 'did not take "Oslo": after a click on that option it shows "Any"',
        },
      ),
      "several options with its text": refused(
        `<label>City <select><option>Any<optgroup label=A><option value=a>Oslo</optgroup><optgroup label=B><option value=b>Oslo</select></label>`,
        choose("Oslo", MISSING),
        {
          code: "element_ambiguous",
          message: 'are called "Oslo". Give the step the value of the one that is meant: "a", "b"',
        },
      ),
      "what opens no list": refused("<label>City <input></label>", choose("Oslo"), {
        code: "element_unusable",
        message: /"City" on.*showed no list of options after it was clicked/,
      }),
      "no message names what it says is not there": refused(
        `<h1>Oslo</h1><p><a href="/oslo">Oslo</a></p>`,
        choose("x", { field_name: "Oslo", ...MISSING }),
        { code: "element_not_found", message: /^(?!.*The nearest are: "Oslo")/ },
      ),
    },
  },
  "a choice that opens another page": {
    ...chosen(
      `<button aria-haspopup=listbox aria-label=City onclick="unfold()">Any</button>
      <ul id=list role=listbox hidden><li role=option onclick="location = '/oslo'">Oslo</li></ul>`,
      "there",
    ),
    routes: { "/oslo": "<h1>Hotels in Oslo</h1><p id=log>there</p>" },
  },
  "a widget in a frame": {
    html: `<iframe src="/framed" style="margin:50px"></iframe>`,
    routes: {
      "/framed": `<div class="custom-select" onclick="document.querySelector('ul').hidden = false">City</div>
      <ul hidden>${each((city) => `<li onclick="document.querySelector('div').textContent = '${city}'; document.querySelector('ul').hidden = true">${city}</li>`)}</ul>`,
    },
    steps: [
      visit(),
      choose("Oslo", { frame: "iframe" } as Partial<Step>),
      { type: "get_text", field_name: "city", selector: "div", frame: "iframe" },
    ],
    rows: [{ city: "Oslo" }],
  },
} satisfies Pages;
