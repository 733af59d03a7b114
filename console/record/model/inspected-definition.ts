import { sessionCheckOf } from "../../../functions/inspections/session-check.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { type Field, freeName, keyOf, listIndexOf, listOf, pathOf, withReplacedStep } from "./definition.ts";

/** The parts that an inspection of the list's page has to return. */
export const WANTED = ["lists", "pagination", "forms", "map", "screenshot"] as const;

/** The name of inspected definitions. An inspection stores nothing, but a definition must have a name. */
const NAME = "Recording";

/**
 * The part of a definition that determines which page is opened: the steps before the list, and the browser settings.
 * If it has not changed, the page need not be opened again.
 */
export function pathDefinition(definition: Definition): Definition {
  const { proxy, user_agent, clock, concurrency, load_images, respect_robots } = definition;
  const { headers, cookies, http_credentials, accept_status, session } = definition;
  return {
    name: NAME,
    steps: pathOf(definition),
    ...(proxy && { proxy }),
    ...(user_agent !== undefined && { user_agent }),
    ...(clock !== undefined && { clock }),
    ...(concurrency !== undefined && { concurrency }),
    ...(load_images !== undefined && { load_images }),
    ...(respect_robots !== undefined && { respect_robots }),
    ...(headers && { headers }),
    ...(cookies && { cookies }),
    ...(http_credentials && { http_credentials }),
    ...(accept_status && { accept_status }),
    ...(session && isCheckKnown(definition) && { session }),
  };
}

/** Whether it is known what only a signed-in visitor sees on the first page. */
const isCheckKnown = ({ session }: Definition): boolean =>
  (session?.check.text ?? session?.check.selector ?? "") !== "";

/** The session to begin an inspection with, while it is not known what shows that it is signed in. */
export const uncheckedSession = (definition: Definition): { session?: string } =>
  definition.session && !isCheckKnown(definition) ? { session: definition.session.name } : {};

/** The definition with a session, whose check is what the page shows to a signed-in visitor, if that is found. */
export function withFoundCheck(definition: Definition, found: Inspection): Definition {
  const { session } = definition;
  const check = session && !isCheckKnown(definition) && sessionCheckOf(found);
  return check ? { ...definition, session: { ...session, check } } : definition;
}

/**
 * The definition that an inspection reads rows with. It also reads the proposed fields that are not in the list, so
 * that the values are already known when the user adds such a column.
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
