import type { Row } from "../../../functions/contract/runs/run.ts";
import type { Wanted } from "./agent.ts";

/** A list that an agent is to read. */
export interface ListPage {
  name: string;
  /** HTML by path. `{at}` is the path before. */
  routes: Record<string, string>;
  wanted: Wanted;
  rows: Row[];
}

const html = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><body><main><h1>${title}</h1>${body}</main></body></html>`;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const job = (n: number) =>
  `<li class="job"><a href="{at}/jobs/${n}">Engineer ${n}</a> <span class="place">Town ${n}</span></li>`;
const review = (n: number) =>
  `<div class="review"><h3>Überraschung ${n} 🦊</h3><blockquote>« Très bien, n° ${n} »</blockquote></div>`;
const news = (n: number) =>
  `<div class="entry"><h2><a href="{at}/story/${n}">Story number ${n}</a></h2><time datetime="2030-02-1${n}">1${n} February 2030</time></div>`;

export const pages: ListPage[] = [
  {
    name: "a list beside a menu",
    routes: {
      "/": html(
        "Jobs",
        `<nav><ul>${numbers(1, 8)
          .map((n) => `<li><a href="{at}/topic/${n}">Topic ${n}</a></li>`)
          .join("")}</ul></nav><ul>${numbers(1, 7).map(job).join("")}</ul>`,
      ),
    },
    wanted: { title: /^Engineer \d$/, place: /^Town/ },
    rows: numbers(1, 7).map((n) => ({ title: `Engineer ${n}`, place: `Town ${n}` })),
  },
  {
    name: "texts that are not ASCII, which a script loads",
    routes: {
      "/": html(
        "Avis",
        `<div id="list"></div><script>fetch("{at}/reviews").then((answer) => answer.text()).then((text) => { document.getElementById("list").innerHTML = text; });</script>`,
      ),
      "/reviews": numbers(1, 5).map(review).join(""),
    },
    wanted: { title: /^Überraschung/, quote: /^«/ },
    rows: numbers(1, 5).map((n) => ({ title: `Überraschung ${n} 🦊`, quote: `« Très bien, n° ${n} »` })),
  },
  {
    name: "numbered pages",
    routes: Object.fromEntries(
      numbers(1, 3).map((page) => [
        page === 1 ? "/" : `/page/${page}`,
        html(
          "News",
          `${numbers(page * 3 - 2, page * 3)
            .map(news)
            .join("")}<nav class="pagination">${numbers(1, 3)
            .map((n) =>
              n === page ? `<span>${n}</span>` : `<a href="{at}/${n === 1 ? "" : `page/${n}`}">${n}</a>`,
            )
            .join(" ")}${page < 3 ? ` <a href="{at}/page/${page + 1}">Older posts »</a>` : ""}</nav>`,
        ),
      ]),
    ),
    wanted: { title: /^Story number/, date: /February 2030$/ },
    rows: numbers(1, 9).map((n) => ({ title: `Story number ${n}`, date: `1${n} February 2030` })),
  },
];
