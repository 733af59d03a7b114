import { type OverrideSchemaContext, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { Actor, AuditEntry } from "../contract/audit/audit.ts";
import { AuditLog } from "../contract/audit/audit-routes.ts";
import {
  Batch,
  BatchInput,
  CreateBatchRequest,
  InputSource,
  Inputs,
  InputValues,
  RowsOf,
  SitemapSource,
} from "../contract/batches/batch.ts";
import { BatchInputList, BatchList } from "../contract/batches/batch-routes.ts";
import {
  Alert,
  AlertBatch,
  AlertChanges,
  AlertCredits,
  AlertData,
  AlertRun,
  AlertScraper,
  CreateHookRequest,
  Hook,
  HookAlert,
  HookDisabled,
  HookEventType,
  HookFormat,
  HookWithAlerts,
} from "../contract/hooks/hook.ts";
import { HookList } from "../contract/hooks/hook-routes.ts";
import {
  ElementMap,
  InspectedField,
  InspectedPage,
  InspectedStep,
  Inspection,
  InspectionRequest,
  JsonDifference,
  ListPageRead,
  MappedFrame,
  ProposedField,
  ProposedForm,
  ProposedInput,
  ProposedJsonField,
  ProposedJsonList,
  ProposedList,
  ProposedPageField,
  ProposedPagination,
  TransformedValue,
} from "../contract/inspections/inspection.ts";
import { MostlyChanged, RowChange, RunChanges } from "../contract/runs/changes.ts";
import { FileCounts, ListFiles, RunFile } from "../contract/runs/file.ts";
import {
  CreateRunRequest,
  Row,
  Run,
  RunError,
  RunProgress,
  RunWarning,
  StepOverride,
  StepOverrides,
  SuggestedField,
  Suggestion,
} from "../contract/runs/run.ts";
import { LogEvent, RunLog } from "../contract/runs/run-log.ts";
import { RunList } from "../contract/runs/run-routes.ts";
import { RunSource, RunStatus } from "../contract/runs/run-status.ts";
import { RunWebhook } from "../contract/runs/run-webhook.ts";
import { WebhookAttempt } from "../contract/runs/webhook-attempt.ts";
import {
  Delivery,
  FolderDelivery,
  GoogleSheetsDelivery,
  PostgresDelivery,
  RowsDelivery,
  S3Delivery,
} from "../contract/scrapers/delivery.ts";
import { Interval } from "../contract/scrapers/interval.ts";
import {
  ButtonPagination,
  InfiniteScrollPagination,
  LastRun,
  LoadMoreControl,
  NoPagination,
  Pagination,
  ProxySettings,
  Schedule,
  ScheduleSchema,
  ScraperDefinition,
  ScraperSchema,
  UrlTemplatePagination,
} from "../contract/scrapers/scraper.ts";
import { ScraperList } from "../contract/scrapers/scraper-routes.ts";
import { Cookie, HttpCredentials } from "../contract/scrapers/site-access.ts";
import { Expect } from "../contract/scrapers/watching.ts";
import {
  Access,
  AccountView,
  Credits,
  Health,
  Limits,
  RateLimit,
  Storage,
} from "../contract/service-routes.ts";
import {
  ClickStep,
  HoverStep,
  PressKeyStep,
  RowClickStep,
  RowHoverStep,
  RowPressKeyStep,
  RowScrollStep,
  RowSelectDropdownStep,
  RowStep,
  RowWaitStep,
  ScrollStep,
  SelectDropdownStep,
  VisitStep,
  WaitStep,
  WriteInputStep,
} from "../contract/steps/action-steps.ts";
import { JsonSource } from "../contract/steps/json-source.ts";
import {
  GetListStep,
  GetTextStep,
  ListDetails,
  ListField,
  NestedField,
  NestedList,
  Step,
} from "../contract/steps/steps.ts";
import { CreateRunForm, ErrorBody, FieldError } from "./bodies.ts";
import { descriptions } from "./descriptions.ts";
import { sessionDefinitions, transformDefinitions } from "./session-schemas.ts";

/** The named schemas of hooks and alerts. */
const hookDefinitions = {
  Hook,
  HookList,
  HookWithAlerts,
  HookAlert,
  HookDisabled,
  HookEventType,
  HookFormat,
  CreateHookRequest,
  Alert,
  AlertData,
  AlertScraper,
  AlertRun,
  AlertChanges,
  AlertBatch,
  AlertCredits,
};

/** The named schemas of destinations. */
const deliveryDefinitions = {
  Delivery,
  FolderDelivery,
  S3Delivery,
  PostgresDelivery,
  GoogleSheetsDelivery,
  RowsDelivery,
};

/** The named schemas. Each becomes a type in generated clients; unnamed objects would get names that clash. */
const definitions = {
  Cookie,
  HttpCredentials,
  Run,
  RunList,
  RunSource,
  RunStatus,
  RunError,
  Suggestion,
  SuggestedField,
  RunProgress,
  RunWarning,
  Row,
  CreateRunRequest,
  CreateRunForm,
  StepOverride,
  Scraper: ScraperSchema,
  ScraperList,
  LastRun,
  ScraperDefinition,
  Schedule: ScheduleSchema,
  ScheduleDefinition: Schedule,
  Interval,
  ProxySettings,
  Pagination,
  NoPagination,
  ButtonPagination,
  LoadMoreControl,
  InfiniteScrollPagination,
  UrlTemplatePagination,
  Step,
  VisitStep,
  ClickStep,
  WriteInputStep,
  SelectDropdownStep,
  HoverStep,
  PressKeyStep,
  ScrollStep,
  WaitStep,
  GetListStep,
  RowStep,
  RowClickStep,
  RowHoverStep,
  RowSelectDropdownStep,
  RowPressKeyStep,
  RowScrollStep,
  RowWaitStep,
  ListField,
  ListDetails,
  ListFiles,
  NestedField,
  NestedList,
  JsonSource,
  GetTextStep,
  Batch,
  BatchList,
  BatchInput,
  BatchInputList,
  InputValues,
  CreateBatchRequest,
  InputSource,
  RowsOf,
  SitemapSource,
  ...hookDefinitions,
  RunFile,
  FileCounts,
  RunChanges,
  MostlyChanged,
  RowChange,
  Expect,
  ...sessionDefinitions,
  ...transformDefinitions,
  RunLog,
  LogEvent,
  RunWebhook,
  WebhookAttempt,
  ...deliveryDefinitions,
  InspectionRequest,
  Inspection,
  InspectedStep,
  InspectedPage,
  InspectedField,
  TransformedValue,
  ListPageRead,
  ProposedList,
  ProposedJsonList,
  ProposedJsonField,
  JsonDifference,
  ProposedField,
  ProposedPageField,
  ProposedPagination,
  ProposedForm,
  ProposedInput,
  ElementMap,
  MappedFrame,
  Account: AccountView,
  Credits,
  Actor,
  AuditEntry,
  AuditLog,
  Access,
  RateLimit,
  Storage,
  Limits,
  Health,
  Error: ErrorBody,
  FieldError,
};

const refTo = (name: string) => `#/components/schemas/${name}`;

/** With `errorMode`, checks and transformations are left out: JSON Schema can't express them. */
const config = {
  target: "draft-2020-12",
  typeMode: "input",
  errorMode: "ignore",
  overrideSchema,
  overrideRef: ({ referenceId }: { referenceId: string }) => refTo(referenceId),
} as const;

/** The JSON Schemas of all named schemas, with their descriptions. */
export function componentSchemas() {
  const described: Record<keyof typeof definitions, string> = descriptions;
  const schemas = Object.entries(toJsonSchemaDefs(definitions, config));
  return Object.fromEntries(
    schemas.map(([name, schema]) => [
      name,
      { description: described[name as keyof typeof definitions], ...forGenerators(schema) },
    ]),
  );
}

/**
 * The schema without what code generators turn into code that does not compile: defaults that are objects, which are
 * described instead, and arrays without the schema of their items.
 */
function forGenerators<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(forGenerators) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, forGenerators(value)]),
  );
  if (copy.type === "array" && copy.items === undefined) copy.items = {};
  const { default: preset, ...rest } = copy;
  if (typeof preset !== "object" || preset === null || Array.isArray(preset)) return copy as T;
  const description = [rest.description, `By default: \`${JSON.stringify(preset)}\`.`].filter(Boolean);
  return { ...rest, description: description.join(" ") } as T;
}

/** The JSON Schema of a Valibot schema: a reference if it has a name. */
export function schemaOf(schema: v.GenericSchema) {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...config, definitions });
  return forGenerators(rest);
}

function overrideSchema({ valibotSchema, jsonSchema, referenceMap }: OverrideSchemaContext) {
  // The first schema of the pipe only limits the number of items, so their type is added here.
  if (valibotSchema === StepOverrides.pipe[0]) {
    return { ...jsonSchema, items: { $ref: refTo("StepOverride") } };
  }
  if (valibotSchema === Inputs.pipe[0]) {
    return { ...jsonSchema, items: { $ref: refTo("InputValues") } };
  }
  switch (valibotSchema.type) {
    case "literal":
      return { type: "string" as const, ...jsonSchema };
    case "variant":
      return { ...jsonSchema, discriminator: discriminatorOf(valibotSchema as Variant, referenceMap) };
    case "record":
      return { type: "object" as const, additionalProperties: jsonSchema.additionalProperties ?? {} };
    default:
      return undefined;
  }
}

type Variant = v.VariantSchema<string, v.VariantOptions<string>, undefined>;
type Discriminator = v.LiteralSchema<string, undefined> | v.PicklistSchema<string[], undefined>;

/** Maps each value of the discriminator, such as "visit", to the schema that has it. */
function discriminatorOf({ key, options }: Variant, names: ReadonlyMap<unknown, string>) {
  const mapping = options.flatMap((option) => {
    const discriminator = (option as v.ObjectSchema<Record<string, Discriminator>, undefined>).entries[key];
    const types = discriminator?.type === "picklist" ? discriminator.options : [discriminator?.literal];
    return types.map((type) => [type, refTo(names.get(option) as string)]);
  });
  return { propertyName: key, mapping: Object.fromEntries(mapping) };
}
