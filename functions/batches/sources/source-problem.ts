import { ValidationError } from "../../contract/validate.ts";

/** A problem of a source of inputs. `path`: the field of the source; empty for the source itself. */
export const sourceProblem = (message: string, path = ""): ValidationError =>
  new ValidationError([{ path, message }]);
