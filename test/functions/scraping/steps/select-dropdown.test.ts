/// <reference lib="dom" />
import { describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps.ts";
import { toolsOf } from "../../../../functions/scraping/steps/dropdown/find-dropdown.ts";
import { startOnPage } from "./on-page.ts";

const { engine, onPage, site } = await startOnPage();

const choose = (value: string, more: Partial<Step> = {}) =>
  ({ type: "select_dropdown", field_name: "City", value, timeout_ms: 30_000, ...more }) as Step;
/** Of a dropdown that does not have the option. */
const MISSING = { timeout_ms: 4_000 };
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
  "no role at all, named by what it shows": `
    <div style="cursor:pointer" onclick="unfold()" id=value>City</div>
    <div id=list hidden>${each((city) => `<div onclick="pick('${city}')"><i>•</i> ${city}</div>`)}</div>`,
  "Bootstrap: a menu of links, which shows nothing of what was chosen": `
    <button class=dropdown-toggle aria-expanded=false onclick="unfold()">City</button><span id=value hidden></span>
    <ul id=list hidden>${each((city) => `<li><a href="#" onclick="pick('${city}')">${city}</a></li>`)}</ul>`,
};

test.concurrent.each(Object.entries(widgets))("%s", async (_, html) => {
  const told = await onPage(helpers + html, choose("Oslo"));
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("Oslo;");
});

test.concurrent.each(Object.entries(widgets))("an option that is missing in %s", async (_, html) => {
  const { failure } = await onPage(helpers + html, choose("Osloo", { timeout_ms: 30_000 }));
  expect(failure).toMatchObject({
    code: "option_not_found",
    step: 1,
    message: expect.stringMatching(/has no option "Osloo". It has, for example: "(• )?Oslo"/),
  });
});

describe("a native dropdown behind a widget", () => {
  const options = `<option>Any</option>${each((city) => `<option value="${city[0]}">${city}</option>`)}`;
  const hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
  const list = `<div id=list hidden>${each((city) => `<div class=item onclick="pick('${city}'); set('${city}')">${city}</div>`)}</div>
    <script>const set = (city) => { byId("s").value = city[0]; };</script>`;
  const pages = {
    "Select2: cut off, the widget behind it": `<label for=s>City</label><select id=s style="${hidden}">${options}</select>
      <span class="select2 select2-container" onmousedown="unfold()"><span class="select2-selection" role=combobox tabindex=0><span id=value>Any</span></span></span>${list}`,
    "Slim Select: not displayed": `<label for=s>City</label><select id=s style="display:none">${options}</select>
      <div class="ss-main" tabindex=0 role=combobox onclick="unfold()"><span id=value>Any</span></div>${list}`,
    "Choices.js: in the widget": `<label for=s>City</label><div class=choices onclick="unfold()"><div class="choices__inner"><select id=s hidden>${options}</select><div class="choices__list choices__list--single" id=value>Any</div></div></div>${list}`,
    "Tom Select: a label that leads to the widget's input": `<label for=t>City</label><select id=s style="${hidden}">${options}</select>
      <div class="ts-wrapper"><div class="ts-control" onclick="unfold()"><div class=item id=value>Any</div><input id=t type=text role=combobox style="width:4px"></div></div>${list}`,
  };

  test.concurrent.each(Object.entries(pages))("%s", async (_, html) => {
    for (const named of [{}, { field_name: undefined, selector: "#s" }]) {
      const told = await onPage(helpers + html, choose("Oslo", named));
      expect(told.failure).toBeUndefined();
      expect(told.log).toBe("Oslo;");
    }
  });

  test.concurrent("is set itself where the widget does not offer what it has", async () => {
    const html = `<label for=s>City</label><select id=s style="display:none" onchange="note(value)">${options}</select>
      <div class="nice-select" tabindex=0>Any</div>`;
    const told = await onPage(html, choose("Oslo", { timeout_ms: 1_500 }));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("O;");
  });

  test.concurrent("without a widget is hidden, and what stands beside it is not clicked", async () => {
    const html = `<label for=s>City</label><select id=s hidden>${options}</select><button onclick="note('sent')">Send</button>`;
    const { failure } = await onPage(html, choose("Oslo", { timeout_ms: 1_500 }));
    expect(failure).toMatchObject({
      code: "element_not_found",
      message: expect.stringContaining("is hidden"),
    });
  });
});

describe("several options", () => {
  test.concurrent("a native one that takes several adds to what is chosen", async () => {
    const html = `<label>City <select multiple onchange="note([...selectedOptions].map((o) => o.text).join('+'))">${each((city) => `<option>${city}</option>`)}</select></label>`;
    const told = await onPage(html, choose("Oslo"), choose("bergen"), choose("Oslo"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Oslo;Bergen+Oslo;Bergen+Oslo;");
  });

  test.concurrent("a widget with chips adds one, takes none back, and is closed afterwards", async () => {
    const html = `<div class="multi-select" style="width:300px"><div role=combobox aria-label=City tabindex=0 style="min-height:24px" id=box onclick="unfold()"></div></div>
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
    const show: Step = { type: "click", field_name: "Show" };
    const told = await onPage(helpers + html, choose("Oslo"), choose("Bergen"), choose("Oslo"), show);
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Oslo+Bergen;");
  });

  test.concurrent("a list of checkboxes is left as it is where the option is checked already", async () => {
    const html = `<button aria-haspopup=true onclick="unfold()">City</button><script>onclick = ({ target }) => { if (target === document.body) byId("list").hidden = true; };</script>
      <div id=list hidden>${each((city) => `<label><input type=checkbox ${city === "Oslo" ? "checked" : ""} onchange="note(this.parentNode.innerText.trim() + checked)">${city}</label>`)}</div>`;
    const told = await onPage(helpers + html, choose("Oslo"), choose("Bergen"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Bergentrue;");
  });
});

describe("a list whose options can be taken back by a click", () => {
  const list = (
    shown: string,
  ) => `<div id=around class="picker-select"><button aria-haspopup=listbox aria-label=City onclick="unfold()"><b id=value>${shown}</b></button>
    <ul id=list hidden style="margin:0">${each((city) => `<li onclick="pick(byId('value').textContent === '${city}' ? 'Any' : '${city}')"><i><b>${city}</b></i></li>`)}</ul></div>`;

  test.concurrent("what is chosen already is left as it is", async () => {
    const told = await onPage(helpers + list("Oslo"), choose("Oslo"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("");
  });

  test.concurrent("options beside the control are not taken for what is chosen", async () => {
    const told = await onPage(helpers + list("Any"), choose("Oslo"), choose("Bergen"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Oslo;Bergen;");
  });

  test.concurrent("a list that is always open", async () => {
    const html = `<ul role=listbox aria-label=City>${each((city) => `<li role=option onclick="this.ariaSelected = 'true'; note('${city}')">${city}</li>`)}</ul>`;
    const told = await onPage(html, choose("Oslo"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Oslo;");
  });

  test.concurrent("a list that leaves out what is chosen", async () => {
    const html = list("Oslo").replace(/<li[^>]*><i><b>Oslo.*?<\/li>/, "");
    const told = await onPage(helpers + html, choose("Oslo"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("");
  });
});

describe("options that are not there at first", () => {
  const searchable = (script: string) => `
    <label for=c>City</label><div class="combo"><input id=c role=combobox aria-autocomplete=list aria-controls=list autocomplete=off></div><ul id=list role=listbox hidden></ul>
    <script>
      const show = (names) => {
        byId("list").hidden = names.length === 0;
        byId("list").innerHTML = names.map((name) => "<li role=option onclick='take(this)'>" + name + "</li>").join("");
      };
      const take = (item) => { byId("c").value = item.textContent; byId("list").hidden = true; note(item.textContent); };
      ${script}
    </script>`;
  const search = `byId("c").oninput = async () => show((await (await fetch("/cities?q=" + byId("c").value)).json()));`;
  site.setRoute("/cities", (request, response) => {
    const q = new URL(request.url ?? "", "http://site").searchParams.get("q")?.toLowerCase() ?? "";
    const found = cities.filter((city) => q !== "" && city.toLowerCase().startsWith(q));
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
    }, 500);
  });

  test.concurrent("a server finds them for what is typed", async () => {
    const told = await onPage(helpers + searchable(search), choose("Trondheim"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Trondheim;");
  });

  test.concurrent("a list that is drawn again and again for a while is left as it is", async () => {
    const script = `let timer; byId("c").oninput = () => { clearInterval(timer); const { value } = byId("c");
      if (value === "") { show([]); return; }
      const end = Date.now() + 1500;
      timer = setInterval(() => { show(${JSON.stringify(cities)}.filter((city) => city.startsWith(value))); if (Date.now() >= end) clearInterval(timer); }, 20); };`;
    const told = await onPage(helpers + searchable(script), choose("Trondheim"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Trondheim;");
  });

  test.concurrent("a list in the control that shows nothing but the option is not what is chosen", async () => {
    const html = searchable(search).replace(
      /<\/div><ul id=list role=listbox hidden><\/ul>/,
      "<ul id=list role=listbox hidden></ul></div>",
    );
    const told = await onPage(helpers + html, choose("Trondheim"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Trondheim;");
  });

  test.concurrent("they come some time after the list opened", async () => {
    const html = searchable(
      `byId("c").onclick = () => { show(["Loading…"]); setTimeout(() => show(${JSON.stringify(cities)}), 900); };`,
    );
    expect((await onPage(helpers + html, choose("Oslo"))).log).toBe("Oslo;");
  });

  test.concurrent.each([
    ["", "auto"],
    [", also one that has no scrollbar", "hidden"],
  ])("a list that draws only what is in view is scrolled%s", async (_, overflow) => {
    const html = `<button aria-haspopup=listbox aria-label=City id=value onclick="unfold()">Any</button>
      <div id=list role=listbox hidden style="height:100px;overflow:${overflow};position:relative"><div style="height:4000px"></div></div>
      <script>
        const draw = () => {
          for (const old of byId("list").querySelectorAll("[role=option]")) old.remove();
          const first = Math.floor(byId("list").scrollTop / 20);
          for (let n = first; n < Math.min(200, first + 6); n += 1)
            byId("list").insertAdjacentHTML("beforeend", "<div role=option style='position:absolute;top:" + n * 20 + "px' onclick='pick(this.textContent)'>City " + n + "</div>");
        };
        byId("list").onscroll = draw;
        byId("value").addEventListener("click", draw);
      </script>`;
    const told = await onPage(helpers + html, choose("City 57"));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("City 57;");
  });

  test.concurrent.each(["role=listbox", "role=menu", ""])(
    "a list that is drawn anew under the click is clicked again: %s",
    async (role) => {
      const option = role === "role=menu" ? "role=menuitem" : role && "role=option";
      const html = `<button aria-haspopup=${role === "role=menu" ? "menu" : "listbox"} aria-label=City id=value onclick="unfold()">Any</button>
      <div id=list ${role} hidden></div>
      <script>
        const draw = () => { byId("list").innerHTML = ${JSON.stringify(cities)}.map((city) => "<div ${option} onclick='pick(this.textContent)'>" + city + "</div>").join(""); };
        let presses = 0;
        byId("list").onmousedown = () => { if (presses++ === 0) draw(); };
        draw();
      </script>`;
      const told = await onPage(helpers + html, choose("Oslo"));
      expect(told.failure).toBeUndefined();
      expect(told.log).toBe("Oslo;");
    },
  );

  test.concurrent("a list that never ends may have more options", async () => {
    const html = `<button aria-haspopup=listbox aria-label=City id=value onclick="unfold()">Any</button>
      <div id=list role=listbox hidden style="height:100px;overflow:auto"></div><script>let n = 0; const add = () => {
        for (const end = n + 10; n < end; n += 1) byId("list").insertAdjacentHTML("beforeend", "<div role=option>City " + n + "</div>"); };
        add(); byId("list").onscroll = add;</script>`;
    const { failure } = await onPage(helpers + html, choose("Oslo", MISSING));
    expect(failure).toMatchObject({
      code: "option_not_found",
      message: expect.stringMatching(/did not show the option "Oslo" within 4000 ms.* timeout_ms/),
    });
  });

  test.concurrent("a scroll lasts until the page has noticed it", async () => {
    const path = site.newPath();
    site.setRoute(
      path,
      `<!doctype html><div id=list role=listbox aria-label=City style="height:100px;overflow:auto">
        <div role=option style="height:4000px">Oslo</div></div><p id=log></p>
        <script>list.onscroll = () => { log.textContent += list.scrollTop + ";"; };</script>`,
    );
    const { tab, close } = await engine.browsers.lease();
    try {
      await tab.page.goto(site.url(path));
      const tools = await toolsOf(await tab.page.$("#list"), true);
      const noticed = await tools.evaluate(async (tools) => {
        await tools.scrollOn("Bergen", false);
        return document.querySelector("#log")?.textContent;
      });
      expect(noticed).toBe("80;");
    } finally {
      await close();
    }
  });

  test.concurrent("a veil covers the list while its options load", async () => {
    const html = `<button aria-haspopup=listbox aria-label=City id=value onclick="unfold(); setTimeout(() => byId('veil').remove(), 2_500)">Any</button>
      <div id=list role=listbox hidden>${each((city) => `<div role=option onclick="pick('${city}')">${city}</div>`)}</div>
      <div id=veil style="position:fixed;inset:0;top:26px"></div>`;
    const told = await onPage(helpers + html, choose("Oslo", { timeout_ms: 10_000 }));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe("Oslo;");
  });

  test.concurrent("suggestions of an input", async () => {
    const html = `<label>City <input list=l onchange="note(value)"></label><datalist id=l>${each((city) => `<option value="${city}">`)}</datalist>`;
    expect((await onPage(html, choose("Oslo"))).log).toBe("Oslo;");
    const { failure } = await onPage(html, choose("Osloo", { timeout_ms: 1_500 }));
    expect(failure).toMatchObject({ code: "option_not_found", message: expect.stringContaining('"Oslo"') });
  });
});

describe("which option is meant", () => {
  const list = (...options: string[]) =>
    `<button aria-haspopup=listbox aria-label=City id=value onclick="unfold()">Any</button>
    <ul id=list role=listbox hidden>${options.map((html) => `<li role=option onclick="pick(this.innerText)">${html}</li>`).join("")}</ul>`;

  test.concurrent.each([
    ["the exact text before others that begin so", ["Oslo Airport", "Oslo"], "Oslo", "Oslo;"],
    ["white space as it is shown", ["New\n  York", "Oslo"], "New York", "New York;"],
    ["another case, where it is the only one", ["OSLO", "Bergen"], "Oslo", "OSLO;"],
    ["a text with something beside it", ["✓ <b>Oslo</b>", "<b>Bergen</b> (2)"], "Bergen", "Bergen (2);"],
  ])("%s", async (_, options, value, log) => {
    const told = await onPage(helpers + list(...options), choose(value));
    expect(told.failure).toBeUndefined();
    expect(told.log).toBe(log);
  });

  test.concurrent("none where two differ from it in case alone", async () => {
    const { failure } = await onPage(helpers + list("OSLO", "oslo"), choose("Oslo", MISSING));
    expect(failure).toMatchObject({ code: "option_not_found" });
  });

  test.concurrent("text of the page is none", async () => {
    const html = `<p>Hamar</p>${list(...cities)}<script>setInterval(() => document.body.append("Hamar"), 200)</script>`;
    const { failure } = await onPage(helpers + html, choose("Hamar", MISSING));
    expect(failure).toMatchObject({ code: "option_not_found" });
  });
});

describe("what fails", () => {
  test.concurrent("a dropdown that does not take the choice", async () => {
    const html = `<button role=combobox aria-haspopup=listbox aria-label=City onclick="unfold()">Any</button>
      <ul id=list role=listbox hidden>${each((city) => `<li role=option onclick="byId('list').hidden = true">${city}</li>`)}</ul>`;
    const { failure } = await onPage(helpers + html, choose("Oslo", MISSING));
    expect(failure).toMatchObject({
      code: "element_unusable",
      step: 1,
      message: expect.stringContaining('did not take "Oslo": after a click on that option it shows "Any"'),
    });
  });

  test.concurrent("what opens no list", async () => {
    const { failure } = await onPage(`<label>City <input></label>`, choose("Oslo", { timeout_ms: 1_500 }));
    expect(failure).toMatchObject({
      code: "element_unusable",
      message: expect.stringContaining('"City" on'),
    });
    expect(failure?.message).toContain("showed no list of options");
  });

  test.concurrent("no message names what it says is not there", async () => {
    const { failure } = await onPage(
      `<h1>Oslo</h1><p><a href="/oslo">Oslo</a></p>`,
      choose("x", { field_name: "Oslo", timeout_ms: 1_500 }),
    );
    expect(failure).toMatchObject({ code: "element_not_found" });
    expect(failure?.message).not.toContain('The nearest are: "Oslo"');
  });
});

test.concurrent("a choice that opens another page", async () => {
  site.setRoute("/oslo", "<h1>Hotels in Oslo</h1><p id=log>there</p>");
  const html = `<button aria-haspopup=listbox aria-label=City onclick="unfold()">Any</button>
    <ul id=list role=listbox hidden><li role=option onclick="location = '/oslo'">Oslo</li></ul>`;
  const told = await onPage(helpers + html, choose("Oslo"));
  expect(told.failure).toBeUndefined();
  expect(told.log).toBe("there");
});

test.concurrent("a widget in a frame", async () => {
  const html = `<div class="custom-select" onclick="document.querySelector('ul').hidden = false">City</div>
    <ul hidden>${each((city) => `<li onclick="document.querySelector('div').textContent = '${city}'; document.querySelector('ul').hidden = true">${city}</li>`)}</ul>`;
  site.setRoute("/framed", html);
  const told = await onPage(
    `<iframe src="/framed" style="margin:50px"></iframe>`,
    choose("Oslo", { frame: "iframe" }),
    {
      type: "get_text",
      field_name: "city",
      selector: "div",
      frame: "iframe",
    },
  );
  expect(told.failure).toBeUndefined();
  expect(told.rows).toEqual([{ city: "Oslo", log: "" }]);
});
