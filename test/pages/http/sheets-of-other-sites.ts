import assert from "node:assert/strict";
import type { Pages } from "../page.ts";
import { listed, notByHttp, numbered, plainPage } from "../parts/numbered.ts";

/* Lists whose style sheets are on another site, as shops and services for fonts have them. */

const styled = (css: string | null, more: Parameters<typeof numbered>[0] = {}) =>
  numbered({ pages: 4, css, isForeign: true, ...more });

export default {
  "that change no text: the list is read by HTTP, and nothing but the browser requests them": styled(
    "@font-face { font-family: Serif; src: url(x.woff2) } .name { color: red }",
    {
      pages: 9,
      check: (_, { requests }) =>
        assert.deepEqual(
          // Two pages are checked.
          [
            requests.filter((path) => path.startsWith("/list?")).length,
            requests.filter((path) => path === "/list.css").length,
          ],
          [10, 1],
        ),
    },
  ),
  "that may change texts: the list is read in the browser": {
    variants: {
      "by a rule in a group": styled("@media screen { .name { text-transform: uppercase } }", {
        rows: listed(1, 4, (n) => `LAMP ${n}`),
        warnings: ["http_not_used"],
      }),
      "by imports": styled("@import 'more.css'; .name { color: red }", { warnings: ["http_not_used"] }),
      "by imports that an escape hides": styled("@im\\70ort 'more.css';", { warnings: ["http_not_used"] }),
      "that are not found": styled(null, { warnings: ["http_not_used"] }),
    },
  },
  "with a rule that changes the texts of one page: that page is read in the browser": styled(
    ".loud .name { text-transform: uppercase }",
    {
      pages: 7,
      html: (page) =>
        plainPage(page.number === 4 ? { ...page, rows: page.rows.replaceAll("card", "card loud") } : page),
      rows: [...listed(1, 3), ...listed(4, 4, (n) => `LAMP ${n}`), ...listed(5, 7)],
      warnings: [notByHttp("page=4: the text of an element <span> depends on its layout")],
    },
  ),
} satisfies Pages;
