import * as v from "valibot";
import { accessTexts, type SiteAccess } from "../scrapers/site-access.ts";
import { hasOnlyWholeReferences, mentionsCode, mentionsSecret } from "./secret-syntax.ts";

/** Rejects references to secrets. A client that can only start runs must not decide where secrets are sent. */
export const noSecrets = v.check(
  (text: string) => !mentionsSecret(text),
  "must not refer to a secret; only stored scrapers can",
);

/** Whether secrets are filled in in a field of one of the other parts of a definition. */
const isFilledIn = (part: string | undefined, key: string | number): boolean =>
  part === "headers" || part === "http_credentials" || (part === "cookies" && key === "value");

/** The one field in which secrets are filled in, by the type of the step or the pagination. */
const FILLED_IN: Record<string, string> = { visit: "url", url_template: "url", write_input: "value" };

/** The parts of a definition that may refer to secrets. */
export interface SecretTexts extends SiteAccess {
  steps: readonly { type: string }[];
  pagination: { type: string };
  session?: { steps?: readonly { type: string }[] | undefined } | undefined;
}

/** The texts of a definition in which secrets are filled in. */
export const textsWithSecrets = ({ steps, pagination, session, ...access }: SecretTexts): string[] => [
  ...[...steps, pagination, ...(session?.steps ?? [])].flatMap(filledInTexts),
  ...accessTexts(access),
];

/** The texts of a step or a pagination in which secrets are filled in: one or none. */
export function filledInTexts(owner: { type: string }): string[] {
  const field = FILLED_IN[owner.type];
  const text: unknown = field === undefined ? undefined : Reflect.get(owner, field);
  return typeof text === "string" ? [text] : [];
}

const MISPLACED =
  "must not refer to a secret; only the url of visit and url_template, the value of write_input, headers, cookies and http_credentials can";
const MISPLACED_CODE = "must not refer to a one-time code; only the value of write_input can";
const MISSPELLED =
  "must refer to a secret as {{secret:name}}, or to a one-time code as {{totp:name}}; a name is 1 to 64 characters of A-Z, a-z, 0-9, _ and -";

/** Rejects malformed references to secrets, and references in fields where secrets are not filled in. */
export const checkSecrets = <Definition extends object>() =>
  v.rawCheck<Definition>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { message, path } of wrongReferences(dataset.value)) {
      const [first, ...rest] = path;
      if (first) addIssue({ message, path: [first, ...rest] });
    }
  });

function* wrongReferences(
  owner: object,
  path: readonly v.IssuePathItem[] = [],
): Generator<{ message: string; path: readonly v.IssuePathItem[] }> {
  const filledIn = "type" in owner ? FILLED_IN[String(owner.type)] : undefined;
  const part = path[0]?.key as string | undefined;
  for (const [name, value] of Object.entries(owner)) {
    const key = Array.isArray(owner) ? Number(name) : name;
    const here = [...path, { type: "unknown", origin: "value", input: owner, key, value } as const];
    if (typeof value === "object" && value !== null) {
      yield* wrongReferences(value, here);
    } else if (typeof value === "string" && mentionsSecret(value)) {
      if (key !== filledIn && !isFilledIn(part, key)) yield { message: MISPLACED, path: here };
      else if (mentionsCode(value) && filledIn !== "value") yield { message: MISPLACED_CODE, path: here };
      else if (!hasOnlyWholeReferences(value)) yield { message: MISSPELLED, path: here };
    }
  }
}
