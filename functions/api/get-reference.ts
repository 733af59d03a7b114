import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import document from "../../openapi.json" with { type: "json" };
import { referencePage } from "./reference/page.ts";
import { STYLE } from "./reference/style.ts";
import type { ApiHandler } from "./types.ts";

/** The content security policy. The page only has its inline style sheet; it loads and runs nothing. */
const policy = () =>
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const getReference: ApiHandler<"getReference"> = async () => ({
  content: Readable.from([referencePage(document)]),
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy(),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  },
});
