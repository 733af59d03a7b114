import { cardList, cards, lamps, type Pages, visit } from "../page.ts";

/* Lists that go on sideways. */

const steps = [visit(), cardList];
const pagination = { type: "infinite_scroll" } as const;

const strip = (
  css: string,
  script: string,
  around = "",
) => `<style>#box{width:600px;overflow-x:auto;position:relative;height:100px}
  .card{width:200px;height:80px;margin:0;list-style:none}${css}</style><div id=box><ul id=list style="margin:0;padding:0"></ul></div>${around}
  <script>const box = document.getElementById("box"), list = document.getElementById("list");${script}</script>`;

/** Ten more cards whenever the box is scrolled to its end. */
const growing = (around = "", more = "") =>
  strip(
    "#list{display:flex}.card{flex:none}",
    `let n = 0; const add = () => { for (let i = 0; i < 10 && n < 40; i++) list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + ++n + "</li>"); };
    add(); box.onscroll = () => { if (Math.abs(box.scrollLeft) + box.clientWidth > box.scrollWidth - 150) setTimeout(add, 100); };${more}`,
    around,
  );

/** Only the cards near the view exist. */
const virtual = (side: string, place = (side: string) => `${side}:' + i * 200 + 'px`) =>
  strip(
    "#list{position:relative;height:90px;width:8000px}.card{position:absolute}",
    `const draw = () => { const first = Math.max(0, Math.floor(Math.abs(box.scrollLeft) / 200) - 1); list.innerHTML = "";
      for (let i = first; i < Math.min(40, first + 6); i++) list.insertAdjacentHTML("beforeend", '<li class=card style="${place(side)}">Lamp ' + (i + 1) + "</li>"); };
    box.onscroll = draw; draw();`,
  );

export default {
  "grows at its end": { html: growing(), steps, pagination, rows: lamps(1, 40) },
  "only the cards near the view exist": {
    steps,
    rows: lamps(1, 40),
    variants: {
      "placed from the left": { html: virtual("left") },
      "placed from the left, paginated": { html: virtual("left"), pagination },
      "moved by transforms": { html: virtual("", () => "transform:translateX(' + i * 200 + 'px)") },
      "right to left": { html: `<html dir=rtl>${virtual("right")}`, pagination },
      "space by widths": {
        html: strip(
          "#list{display:flex;width:8000px}.card,.space{flex:none}.card{white-space:nowrap}",
          `const draw = () => { const first = Math.max(0, Math.floor(box.scrollLeft / 200) - 1), last = Math.min(40, first + 6);
          list.innerHTML = '<li class=space style="width:' + first * 200 + 'px"></li>';
          for (let i = first; i < last; i++) list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + (i + 1) + "</li>");
          list.insertAdjacentHTML("beforeend", '<li class=space style="width:' + (40 - last) * 200 + 'px"></li>'); };
          box.onscroll = draw; draw();`,
        ),
      },
    },
  },
  "the first line of a list that goes on below": {
    html: `<style>.card{display:inline-block;width:200px;height:500px}#list{width:820px;overflow-x:auto;white-space:nowrap}</style><div id=all></div><script>
    let n = 0; const all = document.getElementById("all");
    const line = () => { if (n >= 20) return; const row = document.createElement("div"); row.id = "list"; for (let i = 0; i < 5; i++) row.insertAdjacentHTML("beforeend", "<span class=card>Lamp " + ++n + "</span>"); all.append(row); };
    line(); all.insertAdjacentHTML("afterend", "<div style='height:900px'>…</div>"); onscroll = () => { if (scrollY + innerHeight > document.documentElement.scrollHeight - 200) setTimeout(line, 100); };</script>`,
    steps,
    pagination,
    rows: lamps(1, 20),
  },
  "the page itself goes sideways": {
    html: `<style>body{margin:0;display:flex}.card{flex:none;width:400px;height:80px;list-style:none}</style>${cards(1, 10)}<script>
    let n = 10; onscroll = () => { if (n < 30 && scrollX + innerWidth > document.documentElement.scrollWidth - 200) setTimeout(() => { for (let i = 0; i < 10; i++) document.body.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + ++n + "</li>"); }, 100); };</script>`,
    steps,
    pagination,
    rows: lamps(1, 30),
  },
  "a wide table goes on below": {
    html: `<style>#box{width:500px;height:300px;overflow:auto}td{min-width:400px;height:40px}</style><div id=box><table><tbody id=list></tbody></table></div><script>
    const box = document.getElementById("box"), list = document.getElementById("list"); let n = 0;
    const add = () => { for (let i = 0; i < 10 && n < 40; i++) list.insertAdjacentHTML("beforeend", "<tr class=card><td>Lamp " + ++n + "<td></tr>"); };
    add(); box.onscroll = () => { if (box.scrollTop + box.clientHeight > box.scrollHeight - 50) setTimeout(add, 100); };</script>`,
    steps,
    pagination,
    rows: lamps(1, 40),
  },
  "each card is pressed": {
    html: strip(
      "#list{position:relative;height:90px;width:4000px}.card{position:absolute}",
      `const draw = () => { const first = Math.max(0, Math.floor(box.scrollLeft / 200) - 1); list.innerHTML = "";
      for (let i = first; i < Math.min(20, first + 6); i++) { const card = document.createElement("li"); card.className = "card"; card.style.left = i * 200 + "px";
        card.innerHTML = "<b>Lamp " + (i + 1) + "</b><button>Price</button>"; card.lastChild.onclick = () => { document.getElementById("price").textContent = "$" + (i + 1); }; list.append(card); } };
      box.onscroll = draw; draw();`,
      "<p id=price></p>",
    ),
    steps: [
      visit(),
      {
        ...cardList,
        fields: [{ name: "name", selector: "b" }],
        each: [{ type: "click", selector: "button" }],
        details: { fields: [{ name: "price", selector: "#price" }] },
      },
    ],
    rows: lamps(1, 20).map((row, at) => ({ ...row, price: `$${at + 1}` })),
  },
} satisfies Pages;
