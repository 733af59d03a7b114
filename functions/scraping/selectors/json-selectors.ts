import { RESPONSE } from "../../contract/steps/json-response.ts";
import type { JsonSource } from "../../contract/steps/json-source.ts";
import type { ListField, Step } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { JSON_DATA } from "../limits.ts";
import {
  DATA_DOCUMENT,
  JSON_SELECTOR,
  type JsonProblem,
  type JsonRequest,
} from "../page-script/json/protocol.ts";

/** Lists and values of JSON. The page script knows them by a kind of selector of its own. */

type Placed = { selector?: string | undefined; json?: JsonSource | undefined };

/** The selector of JSON. @param grows whether later responses add to the list */
const jsonSelector = (json: JsonSource, grows = false): string =>
  JSON_SELECTOR + JSON.stringify({ ...json, ...(grows && { grows }) } satisfies JsonRequest);

/** The selector of a list's rows. */
export const rowsSelector = ({ selector = "", json }: Placed, grows = false): string =>
  json ? jsonSelector(json, grows) : selector;

/** The selector of a value; undefined where the field reads the row itself. */
export const valueSelector = ({ selector, json }: Placed): string | undefined =>
  json ? jsonSelector(json) : selector;

/** What a list or a value is found by, in words. */
export const inWords = ({ selector, json }: Placed): string =>
  json ? `the path ${json.path} in ${sourceInWords(json)}` : (selector ?? "");

const sourceInWords = ({ source }: JsonSource): string => source ?? "the document";

/** The sources of all JSON that steps read; undefined if they read none. */
export function jsonSources(steps: readonly Step[]): string[] | undefined {
  const all = steps.flatMap(jsonOf);
  return all.length > 0 ? all.map(({ source }) => source ?? DATA_DOCUMENT) : undefined;
}

function jsonOf(step: Step): JsonSource[] {
  if (step.type === "get_text") return step.json ? [step.json] : [];
  if (step.type !== "get_list") return [];
  const details: readonly ListField[] = step.details?.fields ?? [];
  return [step.json, ...details.map(({ json }) => json)].filter((json) => json !== undefined);
}

/** Why a list or a value of JSON is missing; undefined where its path just matches nothing. */
export function problemOf(
  problem: JsonProblem | undefined,
  json: JsonSource,
  url: string,
): RunFailure | undefined {
  const message = problemInWords(problem, json, url);
  const code = problem === "large" || problem === "deep" ? "too_large" : "element_not_found";
  return message === undefined ? undefined : new RunFailure(code, message);
}

/** A page that does not answer in time while it is asked for JSON. */
export const slowPath = ({ path }: JsonSource, url: string, cause: Error) =>
  new RunFailure(
    "timeout",
    `${url} did not tell in time what the path ${path} finds. Use a simpler path, without regular expressions and "..", or increase the step's timeout_ms if the page is slow.`,
    { cause },
  );

function problemInWords(problem: JsonProblem | undefined, json: JsonSource, url: string): string | undefined {
  const source = sourceInWords(json);
  const isResponse = source.startsWith(RESPONSE);
  switch (problem) {
    case "absent":
      if (json.source === undefined)
        return `${url} is a page, not a document of JSON. Give "json" a source: the selector of a script element, or a response of the page.`;
      return isResponse
        ? `${url} has requested nothing that matches ${source}, or got an error. Check the address in the browser's developer tools, under "Network"; * stands for any text.`
        : `Nothing on ${url} matches the source ${source}. Check this selector against the page.`;
    case "invalid":
      return `What ${source} holds on ${url} is not JSON, or breaks off. Check the source; scripts must consist of JSON, or assign some.`;
    case "large":
      return `The JSON of ${source} on ${url} has more than ${JSON_DATA.characters} characters, the limit. Choose another source, or read the elements of the page.`;
    case "deep":
      return `The JSON of ${source} on ${url} has more levels than the path ${json.path} can search. Use a path without "..".`;
    default:
      return undefined;
  }
}
