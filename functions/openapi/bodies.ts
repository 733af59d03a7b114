import * as v from "valibot";
import { RowsLimit } from "../contract/runs/rows-limit.ts";
import { CreateRunRequest } from "../contract/runs/run.ts";
import { HttpUrl } from "../contract/steps/action-steps.ts";

export const FieldError = v.object({ path: v.string(), message: v.string() });

/** The body of an error response. */
export const ErrorBody = v.object({ message: v.string(), errors: v.optional(v.array(FieldError)) });
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

/** The form body of POST /v1/runs. The service parses it to a CreateRunRequest. */
export const CreateRunForm = v.object({
  scraper_id: CreateRunRequest.entries.scraper_id,
  steps: v.optional(
    v.pipe(
      v.string(),
      v.metadata({
        contentMediaType: "application/json",
        contentSchema: {
          type: "array",
          items: { $ref: "#/components/schemas/StepOverride" },
          maxItems: 200,
        },
        description:
          "Step overrides as a JSON array. You can also write one field for each property: " +
          "`steps[0][id]=search&steps[0][value]=tea`, or `steps[][id]=search&steps[][value]=tea`, where a repeated " +
          "property starts the next override.",
      }),
    ),
  ),
  rows_limit: v.optional(RowsLimit),
  only_new: v.optional(CreateRunRequest.entries.only_new.wrapped),
  webhook_url: v.optional(v.pipe(HttpUrl, v.metadata({ format: "uri" }))),
});
