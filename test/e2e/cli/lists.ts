import { type Handler, sendHtml } from "../../site/site.ts";

/** The rows of a list. */
export const items = (count: number, from = 1) =>
  `<ul>${Array.from({ length: count }, (_, index) => `<li><b>Item ${from + index}</b> <i>${(from + index) * 3} EUR</i></li>`).join("")}</ul>`;
/** A list with a next link, whose page has these rows. */
export const paged =
  (path: string, rows: (page: number) => string): Handler =>
  (request, response) => {
    const page = Number(new URL(request.url ?? "", "http://site").searchParams.get("page") ?? 1);
    sendHtml(
      response,
      `<title>Paged</title>${rows(page)}<a rel="next" href="${path}?page=${page + 1}">Next</a>`,
    );
  };
