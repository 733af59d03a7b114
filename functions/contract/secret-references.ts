import * as v from "valibot";
import { hasOnlyWholeReferences, mentionsSecret } from "./secret-syntax.ts";

/** For what a client sends: a key that starts runs must not choose where secrets go. */
export const noSecrets = v.check(
  (text: string) => !mentionsSecret(text),
  "must not refer to a secret: only a stored scraper may",
);

/** Where a definition may refer to secrets, by the type of what has the field: only there they are filled in. */
const FILLED_IN: Record<string, string> = { visit: "url", url_template: "url", write_input: "value" };
const MISPLACED =
  "can't hold a secret: only the url of a visit or of a url_template and the value of a write_input can";
const MISSPELLED =
  "must refer to a secret as {{secret:name}}, its name being 1 to 64 of A-Z, a-z, 0-9, _ and -";

/** Finds the references of a definition that are misspelled, or stand where nobody would fill them in. */
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
  for (const [name, value] of Object.entries(owner)) {
    const key = Array.isArray(owner) ? Number(name) : name;
    const here = [...path, { type: "unknown", origin: "value", input: owner, key, value } as const];
    if (typeof value === "object" && value !== null) {
      yield* wrongReferences(value, here);
    } else if (typeof value === "string" && mentionsSecret(value)) {
      if (key !== filledIn) yield { message: MISPLACED, path: here };
      else if (!hasOnlyWholeReferences(value)) yield { message: MISSPELLED, path: here };
    }
  }
}
