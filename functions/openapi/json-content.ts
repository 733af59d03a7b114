import type * as v from "valibot";
import { schemaOf } from "./schemas.ts";

/** The content of a request or a response that is JSON. */
export const jsonContent = (schema: v.GenericSchema, example: unknown) => ({
  content: { "application/json": { schema: schemaOf(schema), example } },
});
