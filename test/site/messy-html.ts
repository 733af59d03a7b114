/** A random page with unusual and invalid HTML and CSS, as on the web. The same seed always gives the same page. */
export function messyPage(seed: number): { html: string; css: string } {
  let state = seed * 2_654_435_761 + 1;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const maybe = (chance: number) => random() < chance;

  /**
   * Whether the page has mostly plain words, elements and styles. Only then is the text of several blocks predictable.
   */
  const isCalm = seed % 3 === 0;
  const words = [
    "oak",
    "Brass",
    "lamp ",
    " two",
    "  wide  ",
    "line\nbreak",
    "tab\there",
    "&nbsp;",
    "&amp;",
    "ÄÖ",
    "日本",
    "日本\n語",
    "ﬁt",
    "e&#769;",
    "&shy;soft",
    "zero&#8203;width",
    "12 €",
    "“quoted”",
    "🙂",
    "\n\n",
    "a\n  b",
    "&#8232;",
    "&lrm;mark",
    "straße",
    "ſ",
    "ǆ",
    "&#13;cr",
    "x&#8209;y",
    "한국\n어",
  ];
  const calmWords = [
    "oak",
    "Brass",
    "lamp ",
    " two",
    "  wide  ",
    "line\nbreak",
    "tab\there",
    "\n\n",
    "&nbsp;",
    "12 €",
  ];
  const text = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(isCalm ? calmWords : words)).join(
      maybe(0.7) ? " " : "",
    );
  const classes = [
    "hide",
    "invisible",
    "visible",
    "upper",
    "cap",
    "lower",
    "pre",
    "preline",
    "prewrap",
    "nowrap",
    "contents",
    "flex",
    "grid",
    "block",
    "inline-block",
    "float",
    "abs",
    "rel",
    "before",
    "after-block",
    "first-letter",
    "first-line",
    "cv",
    "rtl",
    "clip",
    "zero",
    "secure",
    "anim",
    "list-item",
    "clearfix",
    "transparent",
    "none-hover",
    "brk",
    "nav",
  ];
  const styled = isCalm ? 0.1 : 0.35;
  const calmClasses = ["nav", "brk", "before", "rel", "nowrap", "transparent", "rtl", "visible", "float"];
  const attributes = () => {
    const parts: string[] = [];
    if (maybe(styled))
      parts.push(
        `class="${Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(isCalm ? calmClasses : classes)).join(" ")}"`,
      );
    if (maybe(styled / 6))
      parts.push(
        `style="${pick(["display:none", "visibility:hidden", "text-transform:uppercase", "white-space:pre", "display:inline-block", "display:inline", "color:red", "opacity:0", "font-size:0", "position:absolute", "content-visibility:hidden"])}"`,
      );
    if (maybe(0.02))
      parts.push(
        pick(["hidden", "inert", 'dir="rtl"', "contenteditable", 'hidden="until-found"', "popover"]),
      );
    return parts.length > 0 ? ` ${parts.join(" ")}` : "";
  };
  const inlineTags = [
    "span",
    "b",
    "i",
    "em",
    "strong",
    "a",
    "small",
    "code",
    "sub",
    "mark",
    "u",
    "abbr",
    "q",
    "bdi",
    "time",
    "label",
    "font",
    "kbd",
  ];
  const oddities = [
    "<br>",
    "<br> ",
    "<img alt='alt text' width=10 height=10>",
    "<wbr>",
    "<input value='typed'>",
    "<button>press</button>",
    "<textarea> kept  text </textarea>",
    "<select><option>one<option>two</select>",
    "<svg><text>svg</text></svg>",
    "<script>var x = 1</script>",
    "<style>.q{}</style>",
    "<!-- comment -->",
    "<noscript>no script</noscript>",
    "<template>tpl</template>",
    "<ruby>漢<rt>kan</rt></ruby>",
    "<details><summary>sum</summary>body</details>",
    "<hr>",
    "<video></video>",
    "<iframe></iframe>",
    "<bdi dir=rtl>abc</bdi>",
    "<dialog>closed</dialog>",
    "<pre> pre  text\n </pre>",
    "<math><mi>x</mi></math>",
    "<progress>p</progress>",
    "<meter>m</meter>",
    "<object>fallback</object>",
    "<canvas>canvas</canvas>",
  ];
  const inline = (depth: number): string => {
    if (depth <= 0 || maybe(0.45)) return text();
    if (maybe(0.12)) return pick(isCalm ? ["<br>", "<br> ", "<!-- comment -->", "<wbr>"] : oddities);
    const tag = pick(isCalm ? ["span", "b", "a", "sub", "label"] : inlineTags);
    return `<${tag}${attributes()}>${inlines(depth - 1)}</${tag}>`;
  };
  const inlines = (depth: number): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => inline(depth)).join(maybe(0.5) ? " " : "");
  const blockTags = [
    "div",
    "p",
    "section",
    "h3",
    "blockquote",
    "address",
    "figure",
    "article",
    "header",
    "form",
    "center",
  ];
  const block = (depth: number): string => {
    if (depth <= 0) return inlines(2);
    const kind = random();
    if (kind < 0.3) return inlines(2);
    if (kind < 0.65) {
      const tag = pick(blockTags);
      return `<${tag}${attributes()}${maybe(0.4) ? " data-cell" : ""}>${tag === "p" || tag === "h3" ? inlines(2) : blocks(depth - 1)}</${tag}>`;
    }
    if (kind < 0.8) {
      const cell = () => `<td${attributes()} data-cell>${maybe(0.7) ? text() : inlines(2)}</td>`;
      const row = () => `<tr${attributes()}>${cell()}${cell()}${cell()}</tr>`;
      return `<table${attributes()}${maybe(0.3) ? " data-cell" : ""}><caption data-cell>${text()}</caption>${row()}\n${row()}</table>`;
    }
    if (kind < 0.92)
      return `<ul${attributes()}${maybe(0.3) ? " data-cell" : ""}><li${attributes()} data-cell>${inlines(2)}</li><li data-cell> ${text()}</ul>`;
    return `<dl data-cell><dt${attributes()} data-cell>${text()}</dt><dd${attributes()} data-cell>${inlines(1)}</dd></dl>`;
  };
  const blocks = (depth: number): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => block(depth)).join("\n ");
  const leafs = () =>
    Array.from({ length: 6 }, () =>
      `<${pick(["span", "div", "a", "td-like", "b", "pre", "option", "li", "h2"])}${attributes()} data-cell>${text()}</div>`.replace(
        /<([\w-]+)([\s\S]*)<\/div>$/,
        "<$1$2</$1>",
      ),
    ).join("\n");
  // Pages with an even seed have a nested rule, whose effect only computed styles show.
  const nested = seed % 2 === 0 ? ".flex { & .upper { text-transform: none } }" : "";
  const css = `
.hide{display:none}.invisible{visibility:hidden}.visible{visibility:visible}.upper{text-transform:uppercase}.cap{text-transform:capitalize}
.lower{text-transform:lowercase}.pre{white-space:pre}.preline{white-space:pre-line}.prewrap{white-space:pre-wrap}.nowrap{white-space:nowrap}
.contents{display:contents}.flex{display:flex}.grid{display:grid}.block{display:block}.inline-block{display:inline-block}.float{float:left}
.abs{position:absolute}.rel{position:relative}.before::before{content:"before "}.after-block::after{content:"";display:block}
.first-letter::first-letter{text-transform:uppercase}.first-line::first-line{text-transform:uppercase}.cv{content-visibility:hidden}
.cv-auto{content-visibility:auto}.rtl{direction:rtl;unicode-bidi:embed}.clip{overflow:hidden;height:0}.zero{font-size:0}
.secure{-webkit-text-security:disc}.anim{animation:gone 1s infinite both}.list-item{display:list-item}
.clearfix::after{content:"";display:table;clear:both}.transparent{opacity:0}.none-hover:hover{display:none}.brk{display:inline;word-break:break-all}.nav li,.nav>div,.nav p{display:inline}
@keyframes gone{from{visibility:hidden}to{visibility:hidden}}
@media print{div{display:none}}@media screen{.brk{text-transform:none}}
${nested}`;
  const body = Array.from(
    { length: 40 },
    () => `<div class="row"${maybe(0.1) ? attributes() : ""}>${leafs()}\n${blocks(3)}</div>`,
  ).join("\n");
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Messy ${seed}</title><link rel="stylesheet" href="/messy-${seed}.css"></head><body>${body}</body></html>`;
  return { html, css };
}
