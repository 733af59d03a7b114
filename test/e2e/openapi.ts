import { openApiDocument } from "../../functions/openapi/document.ts";

/* The OpenAPI document for tests, with the shared responses in place of the references to them. */

export interface JsonSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Response>;
}

interface Response {
  $ref?: string;
  /** Absent: the response has no body. */
  content?: Record<string, { schema: JsonSchema }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Response> };
}

export const openApi = JSON.parse(JSON.stringify(openApiDocument())) as Document;
for (const { responses } of Object.values(openApi.paths).flatMap((methods) => Object.values(methods))) {
  for (const [status, response] of Object.entries(responses)) {
    responses[status] = named(openApi.components.responses, response) ?? response;
  }
}

/** The component that a reference names; undefined for anything else. */
function named<T>(components: Record<string, T>, { $ref }: { $ref?: string }): T | undefined {
  return components[$ref?.split("/").at(-1) ?? ""];
}

/** Every operation, with its path and its method in upper case. */
export const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    ...operation,
  })),
);

/** The schema itself, or the one that it refers to. */
export function resolve(schema: JsonSchema): JsonSchema {
  return named(openApi.components.schemas, schema) ?? schema;
}
