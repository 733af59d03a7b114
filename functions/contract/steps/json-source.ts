import { compile, JSONPathError } from "json-p3";
import * as v from "valibot";
import { text } from "./action-steps.ts";
import { RESPONSE } from "./json-response.ts";

/** A JSONPath by RFC 9535. */
export const JsonPath = v.pipe(
  text(1000),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    try {
      compile(dataset.value);
    } catch (error) {
      if (!(error instanceof JSONPathError)) throw error;
      // The library adds the path and the index to its message.
      const reason = error.message.replace(/ \('.*':\d+\)$/s, "");
      const at = error.token.index + 1;
      addIssue({ message: `must be a JSONPath, such as $.items[*]: ${reason}, at character ${at}` });
    }
  }),
);

/**
 * JSON that a page carries, and a path in it. The source is a selector, such as of a script element, or `response:` with the
 * address of a response that the page has requested, in which `*` stands for any text. Without a source, it is the document
 * that the steps have opened.
 */
export const JsonSource = v.strictObject({
  source: v.optional(
    v.pipe(
      text(2000),
      v.check((source) => source !== RESPONSE, "must have an address after response:, such as */api/items*"),
    ),
  ),
  path: JsonPath,
});
export type JsonSource = v.InferOutput<typeof JsonSource>;
