import type { Definition } from "../../api/api.ts";
import { type Field, freeName, keyOf, listIndexOf, listOf, pathOf, withReplacedStep } from "./definition.ts";

/** What is asked of the page that the steps lead to. */
export const WANTED = ["lists", "pagination", "forms", "map", "screenshot"] as const;

/** The name of what is inspected. An inspection stores nothing, and needs one all the same. */
const NAME = "Recording";

/** What of a definition decides about the page: the steps before the list, and how the browser opens pages. */
export function pathDefinition(definition: Definition): Definition {
  const { proxy, user_agent, clock, concurrency, load_images, respect_robots } = definition;
  return {
    name: NAME,
    steps: pathOf(definition),
    ...(proxy && { proxy }),
    ...(user_agent !== undefined && { user_agent }),
    ...(clock !== undefined && { clock }),
    ...(concurrency !== undefined && { concurrency }),
    ...(load_images !== undefined && { load_images }),
    ...(respect_robots !== undefined && { respect_robots }),
  };
}

/**
 * A definition to read rows with. It also reads the fields that were proposed and are not taken, so that a column can be
 * added at once.
 */
export function checkedDefinition(definition: Definition, proposed: readonly Field[]): Definition {
  const list = listOf(definition);
  const asked = {
    ...pathDefinition(definition),
    steps: definition.steps,
    ...(definition.pagination && { pagination: definition.pagination }),
  };
  if (list === undefined) return asked;
  const fields = [...list.fields];
  for (const field of proposed) {
    if (fields.some((each) => keyOf(each) === keyOf(field))) continue;
    fields.push({ ...field, name: freeName(fields, field.name) });
  }
  return withReplacedStep(asked, listIndexOf(definition), { ...list, fields });
}
