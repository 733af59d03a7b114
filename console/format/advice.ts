import { serviceFacts } from "../api/service-facts.ts";

/** What messages of the service advise, for everybody who uses it, and the same in the words of the console. */
const WORDS: readonly [RegExp, string][] = [
  [/mark the step as optional/g, "tick “Continue if the element is not there” in the step"],
  [/an optional click step/g, "a click step that continues if its element is not there,"],
  [/set "rows_limit" in the scraper, to/g, "set “Maximum rows” to"],
  [/set "rows_limit": (\d+)/g, "set “Maximum rows” to $1"],
  [/"attribute": "([^"]*)"/g, "“Attribute” set to $1"],
  [/as field_name of the pagination/g, "as “Name of the button” of the pagination"],
  // The form has no input for the other settings.
  [/"[a-z_]+": (?:true|false|\d+|"[^"]*"|\[[^\]]*\])/g, "$& in the JSON of the definition"],
  [/by a field with a "list"/g, "by a list that you add to the fields"],
];

const SECRET_WORDS: readonly [RegExp, string][] = [
  [
    /Ask the operator of the service to set it, on AWS with `--stack`: `[^`]*`\./g,
    "Add it on the settings page.",
  ],
  [
    /(?:Ask the operator of the service to set it|set the secret) again with `--host` for each of its hosts/g,
    "Replace it on the settings page, with each of its hosts",
  ],
];

/** A message of the service whose advice is about the console. */
export const forConsole = (message: string): string =>
  [...WORDS, ...(serviceFacts().setsSecrets ? SECRET_WORDS : [])].reduce(
    (text, [pattern, words]) => text.replaceAll(pattern, words),
    message,
  );
