import type { McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { ID } from "../contract/ids.ts";
import type { Scope } from "../contract/scope.ts";
import { ScraperDefinition } from "../contract/scrapers/scraper.ts";
import { ValidationError, validate } from "../contract/validate.ts";
import type { Log } from "../log.ts";
import { ANSWER_MAX, type Answer, beginningOf, roomFor, textsOf } from "./answer.ts";
import { type CallApi, ToolError } from "./api-client.ts";

type Annotations = Pick<
  NonNullable<Parameters<McpServer["registerTool"]>[1]["annotations"]>,
  "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint"
>;

/** A tool of the MCP server, which agents can call. */
export interface Tool<S extends v.GenericSchema = v.GenericSchema> {
  name: string;
  /** The scope that its requests need. */
  scope: Scope;
  title: string;
  description: string;
  annotations: Annotations;
  /** The schema of the arguments. */
  input: S;
  /** @throws ToolError if the caller can solve the problem */
  run(call: CallApi, input: v.InferOutput<S>): Promise<Answer>;
}

/** Infers the type of the arguments of `run` from `input`. */
export const defineTool = <S extends v.GenericSchema>(tool: Tool<S>): Tool => tool as unknown as Tool;

/** A definition as an argument. The schema accepts any object: the API validates it and reports all problems. */
export const Definition = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description(
    "A scraper definition. Take the `draft` of inspect_page, or what get_scraper returns, and change it.",
  ),
);

/** The schema of the id of a run or a scraper. */
export const idOf = (what: string) =>
  v.pipe(v.string(), v.regex(ID, `must be the id of a ${what}`), v.description(`The id of the ${what}.`));

/** A whole number in a range. */
export const whole = (least: number, most: number, description: string) =>
  v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
    v.description(description),
  );

/** Registers a tool. Errors become results that the agent can read. */
export function addTool(server: McpServer, tool: Tool, call: CallApi, log: Log): void {
  const { name, title, description, annotations, input, run } = tool;
  const config = { title, description, annotations, inputSchema: schemaOf(input) };
  server.registerTool(name, config, async (given) => {
    try {
      const answer = await run(call, given);
      return {
        content: [
          ...textsOf(answer).map((text) => ({ type: "text" as const, text })),
          ...(answer.image === undefined
            ? []
            : [{ type: "image" as const, data: answer.image, mimeType: "image/jpeg" }]),
        ],
      };
    } catch (error) {
      if (!(error instanceof ToolError)) log.error("A tool failed", { tool: name, error });
      const answer =
        error instanceof ToolError
          ? answerFor(error)
          : { summary: "The tool failed for an unexpected reason. Try it again." };
      return { content: textsOf(answer).map((text) => ({ type: "text" as const, text })), isError: true };
    }
  });
}

function answerFor({ message, quoted }: ToolError): Answer {
  const summary = beginningOf(message, ANSWER_MAX);
  return { summary, ...(quoted !== undefined && { data: beginningOf(quoted, roomFor(summary)) }) };
}

/** Maximum number of characters of one problem. Names of unknown arguments may be long. */
const PROBLEM_MAX = 200;

/** Wraps a Valibot schema for the SDK. Its errors have the same texts as those of the API. */
function schemaOf(schema: v.GenericSchema): StandardSchemaWithJSON {
  const json = () => jsonSchemaOf(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "gleaner",
      validate: (input) => {
        try {
          return { value: validate(schema, input) };
        } catch (error) {
          if (!(error instanceof ValidationError)) throw error;
          return {
            issues: error.problems.map(({ path, message }) => ({
              message: beginningOf(path === "" ? message : `${path}: ${message}`, PROBLEM_MAX),
            })),
          };
        }
      },
      jsonSchema: { input: json, output: json },
    },
  };
}

/** Fields of a definition that only the service sets. They are left out of the schema for agents. */
const SET_BY_SERVICE = ["created_at", "updated_at", "last_run"];

/** With `errorMode`, checks and transformations are left out: JSON Schema can't express them. */
const config = { target: "draft-2020-12", typeMode: "input", errorMode: "ignore" } as const;

function jsonSchemaOf(schema: v.GenericSchema): Record<string, unknown> {
  const overrideSchema = ({ valibotSchema }: { valibotSchema: unknown }) =>
    valibotSchema === Definition.pipe[0] ? definitionJson() : undefined;
  const { $schema: _, ...json } = toJsonSchema(schema, { ...config, overrideSchema });
  return json as Record<string, unknown>;
}

function definitionJson(): JsonSchema {
  const { $schema: _, properties = {}, ...rest } = toJsonSchema(ScraperDefinition, config);
  const kept = Object.entries(properties).filter(([name]) => !SET_BY_SERVICE.includes(name));
  return { ...rest, properties: Object.fromEntries(kept) };
}
