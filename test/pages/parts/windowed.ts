/** Pages of which each shows a list of `count` rows, "Lamp 1" and so on, by another way to keep most of them back. */

const COUNT = 100;

interface WindowedPage {
  /** Default: 100. */
  count?: number;
  /** How the text of the row with the index `n` is made, in JavaScript. */
  text?: string;
}

/** A box of 400 pixels, and `draw`, which is called when it is scrolled. */
const inBox = (
  script: string,
  inside = "<div id=space></div>",
  css = "",
) => `<!doctype html><meta charset=utf-8>
<style>#box{height:400px;overflow:auto;position:relative}.row{height:40px;box-sizing:border-box}${css}</style>
<h1>Lamps</h1><div id=box>${inside}</div><footer>Imprint</footer>
<script>const box = document.getElementById("box"), space = document.getElementById("space");
const html = (from, to, of) => Array.from({ length: Math.max(0, to - from) }, (_, i) => of(from + i)).join("");
${script}; box.addEventListener("scroll", draw); draw();</script>`;

const lamp = '"Lamp " + (n + 1)';

/** Each row is placed by a transform. */
export const translated = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`space.style.height = ${count * 40} + "px"; space.style.position = "relative";
  function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 3), to = Math.min(${count}, from + 16);
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;width:100%;transform:translateY(' + n * 40 + 'px)"><b>' + (${text}) + '</b></div>'); }`);

/** All rows are moved together by a script that takes them for lower than they are. */
export const lower = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`space.style.height = ${count * 30} + "px"; const rows = space.appendChild(document.createElement("div"));
  function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 30) - 2), to = Math.min(${count}, from + 18);
    rows.style.transform = "translateY(" + from * 30 + "px)";
    rows.innerHTML = html(from, to, (n) => '<div class=row><b>' + (${text}) + '</b></div>'); }`);

/** The box hides its overflow, and a script scrolls it by the wheel. */
export const hidden = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  translated({ count, text })
    .replace("overflow:auto", "overflow:hidden")
    .replace(
      "<script>",
      `<script>document.getElementById("box").addEventListener("wheel",
      (event) => { event.preventDefault(); box.scrollTop += event.deltaY; }, { passive: false });`,
    );

/** The box is padded for the rows that are not there. */
export const padded = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 15);
    space.style.paddingTop = from * 40 + "px"; space.style.paddingBottom = (${count} - to) * 40 + "px";
    space.innerHTML = html(from, to, (n) => '<div class=row><b>' + (${text}) + '</b></div>'); }`);

/** A table whose first and last rows keep space free. */
export const table = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(
    `const body = document.querySelector("tbody");
  function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 15);
    const gap = (n) => '<tr><td colspan=2 style="padding:0;border:0;height:' + n * 40 + 'px"></td></tr>';
    body.innerHTML = gap(from) + html(from, to, (n) => '<tr class=row><td><b>' + (${text}) + '</b></td><td>' + n + '</td></tr>') + gap(${count} - to); }`,
    "<table cellspacing=0><tbody></tbody></table>",
    "td{padding:0;height:40px}",
  );

/** Its rows go when it is scrolled, until their data comes; another scroll before that asks again. */
export const emptied = (data: string, { count = COUNT, text = lamp }: WindowedPage = {}) =>
  translated({ count, text })
    .replace("function draw() {", "let last = 0; function show() {")
    .replace(
      "; box.addEventListener",
      `; async function draw() { const now = last += 1; space.innerHTML = ""; await fetch("${data}?" + now);
        if (now === last) show(); }; box.addEventListener`,
    );

/** Each row is placed in the one of four columns that ends first; of those that end alike, in the last one. */
export const columns = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`const ends = [0, 0, 0, 0], heights = [60, 90, 120, 150];
  const places = Array.from({ length: ${count} }, (_, n) => { const top = Math.min(...ends), column = n < 4 ? n : ends.lastIndexOf(top);
    ends[column] += heights[n % 4]; return { n, column, top, height: heights[n % 4] }; });
  space.style.height = Math.max(...ends) + "px"; space.style.position = "relative";
  function draw() { space.innerHTML = places.filter(({ top, height }) => top + height > box.scrollTop - 100 && top < box.scrollTop + 500).map(({ n, column, top, height }) =>
    '<div class=row style="position:absolute;width:25%;left:' + column * 25 + '%;top:' + top + 'px;height:' + height + 'px"><b>' + (${text}) + '</b></div>').join(""); }`);

/** The window scrolls, between a heading and a footer. */
export const inWindow = ({
  count = COUNT,
  text = lamp,
}: WindowedPage = {}) => `<!doctype html><meta charset=utf-8>
<style>body{margin:0}.row{height:40px}</style><h1 style="height:700px">Lamps</h1><div id=list></div><footer style="height:900px">Imprint</footer>
<script>const list = document.getElementById("list");
list.style.cssText = "position:relative;height:${count * 40}px";
function draw() { const top = Math.max(0, scrollY - list.offsetTop); const from = Math.max(0, Math.floor(top / 40) - 1), to = Math.min(${count}, from + Math.ceil(innerHeight / 40) + 2);
  list.innerHTML = Array.from({ length: Math.max(0, to - from) }, (_, i) => { const n = from + i; return '<div class=row style="position:absolute;top:' + n * 40 + 'px"><b>' + (${text}) + '</b></div>'; }).join(""); }
addEventListener("scroll", draw); draw();</script>`;

/** Heights differ, are guessed first, and measured when a row was drawn: rows below move. */
export const measured = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`const heights = Array(${count}).fill(40), real = (n) => 24 + (n * 37) % 130;
  const topOf = (n) => { let top = 0; for (let i = 0; i < n; i++) top += heights[i]; return top; };
  space.style.position = "relative";
  function draw() { let from = 0; while (from < ${count} - 1 && topOf(from + 1) < box.scrollTop - 60) from++;
    let to = from; while (to < ${count} && topOf(to) < box.scrollTop + 460) to++;
    for (let n = from; n < to; n++) heights[n] = real(n);
    space.style.height = topOf(${count}) + "px";
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;height:' + real(n) + 'px;top:' + topOf(n) + 'px"><b>' + (${text}) + '</b></div>'); }
  setInterval(draw, 30);`);

/** The same elements get other texts, in a box that is moved as a whole. */
export const swapped = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(
    `const pane = document.getElementById("pane"); space.style.height = ${count * 40} + "px";
  pane.innerHTML = html(0, 12, () => "<div class=row><b></b></div>");
  function draw() { const from = Math.min(${count} - 12, Math.floor(box.scrollTop / 40)); pane.style.transform = "translateY(" + from * 40 + "px)";
    [...pane.children].forEach((row, i) => { const n = from + i; row.firstChild.textContent = ${text}; }); }`,
    "<div id=space><div id=pane></div></div>",
  );

/** The same elements get other texts as far as they are in view; four below it keep what they said before. */
export const spare = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(
    `const pane = document.getElementById("pane"); space.style.height = ${count * 40} + "px";
  pane.innerHTML = html(0, 15, (n) => "<div class=row><b>" + (${text}) + "</b></div>");
  function draw() { const from = Math.min(${count} - 10, Math.floor(box.scrollTop / 40)); pane.style.transform = "translateY(" + from * 40 + "px)";
    [...pane.children].slice(0, 11).forEach((row, i) => { const n = from + i; row.firstChild.textContent = ${text}; }); }`,
    "<div id=space style='overflow:hidden'><div id=pane></div></div>",
  );

/** The same in a box whose content a script moves by the wheel. */
export const spareByWheel = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(
    `let at = 0; box.style.overflow = "hidden";
  space.innerHTML = html(0, 15, (n) => "<div class=row><b>" + (${text}) + "</b></div>");
  function draw() { const from = Math.floor(at / 40); space.style.transform = "translateY(" + (from * 40 - at) + "px)";
    [...space.children].slice(0, 11).forEach((row, i) => { const n = from + i; row.firstChild.textContent = n < ${count} ? ${text} : ""; }); }
  box.addEventListener("wheel", (event) => { event.preventDefault(); at = Math.max(0, Math.min(${count * 40 - 400}, at + event.deltaY)); draw(); }, { passive: false })`,
  );

/** The same elements get other texts, in a pane that stays; at the end, those behind it keep what they said. */
export const leftover = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(
    `const pane = document.getElementById("pane"); space.style.height = ${count * 40} + "px";
  pane.innerHTML = html(0, 12, () => "<div class=row><b></b></div>");
  function draw() { const from = Math.floor(box.scrollTop / 40);
    [...pane.children].forEach((row, i) => { const n = from + i; if (n < ${count}) row.firstChild.textContent = ${text}; }); }`,
    '<div id=space><div id=pane style="position:sticky;top:0;height:400px;overflow:hidden"></div></div>',
  );

/** Only rows in view exist, drawn a frame after the scroll. */
export const tight = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`space.style.height = ${count * 40} + "px"; space.style.position = "relative";
  function now() { const from = Math.floor(box.scrollTop / 40), to = Math.min(${count}, Math.ceil((box.scrollTop + 400) / 40));
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;top:' + n * 40 + 'px"><b>' + (${text}) + '</b></div>'); }
  function draw() { requestAnimationFrame(() => setTimeout(now, 40)); }`);

/** Drawn late where it is scrolled up, and something else is fetched where it is scrolled down. */
export const late = (
  url: string,
  { count = COUNT, text = lamp, lateMs = 300 }: WindowedPage & { lateMs?: number } = {},
) =>
  inBox(`let before = 0, timer; function now() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 15);
    space.style.paddingTop = from * 40 + "px"; space.style.paddingBottom = (${count} - to) * 40 + "px";
    space.innerHTML = html(from, to, (n) => '<div class=row><b>' + (${text}) + '</b></div>'); }
  function draw() { if (box.scrollTop < before || (timer && box.scrollTop < 40)) timer ??= setTimeout(() => { timer = undefined; now(); }, ${lateMs}); else { now(); if (box.scrollTop > 0) fetch("${url}?from=0"); } before = box.scrollTop; }`);

/** Once something was fetched after the first scroll, it takes itself for being at its top. */
export const misplaced = (url: string, { count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`let place = 0, isFirst = true;
  function show() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 15);
    space.style.paddingTop = from * 40 + "px"; space.style.paddingBottom = (${count} - to) * 40 + "px";
    space.innerHTML = html(from, to, (n) => '<div class=row><b>' + (${text}) + '</b></div>'); }
  function draw() { if (box.scrollTop === place) return; place = box.scrollTop; show();
    if (isFirst) { isFirst = false; fetch("${url}?from=0").then(() => { place = 0; }); } }
  show();`);

/** Rows are blank until they have been fetched from `url`, 20 at a time. */
export const fetched = (url: string, { count = COUNT }: WindowedPage = {}) =>
  inBox(`const loaded = [], asked = new Set(); space.style.height = ${count * 40} + "px"; space.style.position = "relative";
  async function load(block) { if (asked.has(block)) return; asked.add(block); const rows = await (await fetch("${url}?from=" + block * 20)).json();
    rows.forEach((row, i) => { loaded[block * 20 + i] = row; }); draw(); }
  function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 14);
    for (let n = from; n < to; n++) load(Math.floor(n / 20));
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;top:' + n * 40 + 'px"><b>' + (loaded[n] ?? "") + '</b></div>'); }`);

/** More height is declared than there are rows for, and the box never gets to its end. */
export const endless = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`space.style.height = ${count * 40 + 1_500} + "px"; space.style.position = "relative";
  function draw() { const most = ${count} * 40 - 400; if (box.scrollTop > most) box.scrollTop = most;
    const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 15);
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;top:' + n * 40 + 'px"><b>' + (${text}) + '</b></div>'); }`);

interface WidePage extends WindowedPage {
  /** How late columns on the right are drawn, below the top. */
  frames?: number;
  /** Which of the scrolls to a side are ignored, below the top: every second or third, for example. */
  ignored?: number;
}

/** Of eight columns, those in view exist. */
export const wide = ({ count = COUNT, frames = 0, ignored = 0 }: WidePage = {}) =>
  inBox(
    `space.style.cssText = "position:relative;width:1600px;height:${count * 40}px";
  const after = (frames, then) => frames > 0 ? requestAnimationFrame(() => after(frames - 1, then)) : then();
  let scrolls = 0, place = 0, drawn = 0;
  function draw() {
    if (box.scrollLeft !== place) {
      place = box.scrollLeft;
      scrolls += 1;
      if (box.scrollTop === 0 || scrolls % ${ignored} !== 0) drawn = place;
    }
    after(box.scrollTop > 0 && box.scrollLeft > 0 ? ${frames} : 0, show); }
  function show() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 14);
    const left = Math.floor(drawn / 200), right = Math.min(8, left + 4);
    const cell = (n, c) => '<span class=c' + c + ' style="position:absolute;left:' + c * 200 + 'px">' + c + "/" + (n + 1) + "</span>";
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;width:1600px;top:' + n * 40 + 'px"><b></b>' + html(left, right, (c) => cell(n, c)) + '</div>'); }`,
    undefined,
    "#box{width:600px}",
  );

/** Pages of 50 rows, of each of which a window exists; the box stays where it was scrolled to. */
export const paged = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  `${translated({ count: 50, text: text.replaceAll("n +", "page * 50 + n +") }).replace("<script>", "<script>let page = 0; ")}<button id=next>Next</button>
<script>document.getElementById("next").onclick = (event) => { page++; draw(); if (page >= ${count / 50 - 1}) event.target.disabled = true; };</script>`;

/** 40 rows, and 40 more at each press, up to 120. */
export const loadingMore = () => `${inBox(`let count = 40; space.style.position = "relative";
  function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 3), to = Math.min(count, from + 16);
    space.style.height = count * 40 + "px";
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;top:' + n * 40 + 'px"><b>' + (${lamp}) + '</b></div>'); }`)}<button id=more>More</button>
<script>document.getElementById("more").onclick = (event) => { count += 40; if (count >= 120) event.target.remove(); draw(); };</script>`;

/** However little it is scrolled, it leaps over rows: of each forty, the first twelve are shown. */
export const leaping = () =>
  inBox(`space.style.height = "2000px"; space.style.position = "relative";
  function draw() { const from = 40 * Math.ceil(box.scrollTop / 800);
    space.innerHTML = html(from, from + 12, (n) => '<div class=row style="position:absolute;top:' + (Math.min(box.scrollTop, 1520) + (n - from) * 40) + 'px"><b>' + (${lamp}) + '</b></div>'); }`);

/** Each row has its number as an attribute. */
export const numbered = (page: WindowedPage) =>
  translated(page).replace("<div class=row ", "<div class=row data-n=' + (n + 1) + ' ");

/** Three cards in each line, 99 in all. */
export const cards = (direction: string) =>
  inBox(
    `box.dir = "${direction}"; space.style.cssText = "position:relative;height:3300px";
  const side = "${direction}" === "rtl" ? "right" : "left";
  function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 100) - 1) * 3, to = Math.min(99, from + 18);
    space.innerHTML = html(from, to, (n) => '<div class=row style="position:absolute;width:180px;height:100px;top:' + Math.floor(n / 3) * 100 + 'px;' + side + ':' + n % 3 * 190 + 'px"><b>' + (${lamp}) + '</b></div>'); }`,
    undefined,
    "#box{width:600px}",
  );

/** Each item has a second part, which is no row, and a note follows the items. */
export const inParts = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 80) - 2), to = Math.min(${count}, from + 10);
    const item = (n) => '<div style="position:absolute;top:' + n * 80 + 'px"><div class=row><b>' + (${text}) + '</b></div><p style="height:40px;margin:0">More</p></div>';
    space.style.cssText = "position:relative;height:${count * 80}px";
    space.innerHTML = html(from, to, item) + "<i>Shown: " + (to - from) + "</i>"; }`);

/** Style rules place the rows and keep space free. */
export const ruled = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(
    `const rules = document.head.appendChild(document.createElement("style"));
  function draw() { const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count}, from + 15);
    rules.textContent = "#space{padding:" + from * 40 + "px 0 " + (${count} - to) * 40 + "px}";
    space.innerHTML = html(from, to, (n) => '<div class=row><b>' + (${text}) + '</b></div>'); }`,
  );

/** The first row and the last one are always there. */
export const anchored = ({ count = COUNT, text = lamp }: WindowedPage = {}) =>
  inBox(`space.style.cssText = "position:relative;height:${count * 40}px";
  const row = (n) => '<div class=row style="position:absolute;top:' + n * 40 + 'px"><b>' + (${text}) + '</b></div>';
  function draw() { const from = Math.max(1, Math.floor(box.scrollTop / 40) - 2), to = Math.min(${count - 1}, from + 14);
    space.innerHTML = row(0) + html(from, to, row) + row(${count - 1}); }`);
