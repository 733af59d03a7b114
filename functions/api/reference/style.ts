/** The style sheet. It has a light and a dark mode. The contrast of text is at least 4.5:1. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9df, #3a414b); --soft: light-dark(#f4f6f8, #1e232a);
  --quiet: light-dark(#525a66, #a8b1bd); --link: light-dark(#0b5cad, #79b8ff); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 50rem; padding: 1rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif;
  color: light-dark(#1b1f24, #e6e9ed); background: light-dark(#fff, #14181d); overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
h1 { margin-bottom: 0; }
h2 { margin-top: 3rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 .5rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
p { margin: .4rem 0; }
code { font: .875em/1.5 ui-monospace, monospace; background: var(--soft); padding: .1em .3em; border-radius: .25em; }
pre { margin: .5rem 0; padding: .75rem; max-height: 30rem; overflow: auto; background: var(--soft);
  border-radius: .4rem; overflow-wrap: normal; }
pre code { padding: 0; background: none; }
nav ul { padding: 0; list-style: none; }
nav > ul { columns: 16rem; }
nav > ul > li { margin-bottom: 1rem; break-inside: avoid; }
nav > ul > li > a { font-weight: 700; }
nav li li { margin: .3rem 0; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.address { margin: .25rem 0 .5rem; }
.address code, nav code { background: none; padding: 0; }
.method { font-weight: 700; }
.type, .quiet { color: var(--quiet); font-size: .9rem; }
dl { margin: .5rem 0; }
dt { padding-top: .5rem; border-top: 1px solid var(--line); }
dt > code { font-weight: 700; }
dd { margin: 0 0 .5rem; }
dd dl { margin-left: .25rem; padding-left: .75rem; border-left: 2px solid var(--line); }
summary { cursor: pointer; color: var(--link); padding: .25rem 0; }
`;
