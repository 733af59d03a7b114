import type { Transform } from "../../functions/contract/steps/transform.ts";

/** The part of a field that says what becomes of its values. */
export interface Cleaning {
  transform?: Transform[] | undefined;
  required?: boolean | undefined;
}

/** A field of whose values becomes what `cleaning` says. */
export const withCleaning = <T extends Cleaning>(
  { transform: _, required: __, ...field }: T,
  { transform = [], required }: Cleaning,
): T =>
  ({ ...field, ...(transform.length > 0 && { transform }), ...(required && { required }) }) as unknown as T;
