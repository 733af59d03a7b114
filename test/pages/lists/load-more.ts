import { cards, lamps, type Pages } from "../page.ts";

const growing = (step: string, extra = "") => `
  <ul id=list>${cards(1, 4)}</ul><button id=more>Show more</button><script>
  let shown = 4; const list = document.getElementById("list"), more = document.getElementById("more");
  const add = () => { for (let i = 0; i < 4; i++) { shown++; list.insertAdjacentHTML("beforeend", '<li class="card">Lamp ' + shown + '</li>'); } if (shown >= 16) more.remove(); };
  more.onclick = () => { ${step} };${extra}</script>`;

export default {
  "until the button is gone; each batch is counted": {
    html: growing(
      "more.disabled = true; setTimeout(() => { add(); setTimeout(() => { more.disabled = false; }, 60); }, 80);",
    ),
    pagination: { type: "load_more", field_name: "Show more" },
    rows: lamps(1, 16),
    loads: 4,
  },
  "a button that stays but adds nothing any more": {
    html: growing("if (shown < 12) add();"),
    pagination: { type: "load_more", selector: "#more" },
    rows: lamps(1, 12),
  },
} satisfies Pages;
