import { globSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { readConfig } from "../../lib/config.ts";
import { GleanerStack } from "../../lib/gleaner-stack.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

const { context } = JSON.parse(readFileSync(join(PROJECT_FOLDER, "cdk.json"), "utf8"));

export interface SynthOptions {
  /** Where to put the functions' files, which takes ten seconds; without it they are not bundled. */
  bundleTo?: string;
  /** Whether CDK checks the template against CloudFormation's resource schemas, which takes seconds. */
  checks?: boolean;
  /** Does something to the stack before it is synthesized. */
  change?: (stack: GleanerStack, app: App) => void;
}

const domain = {
  name: "api.example.com",
  certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/x",
};
export const everything = {
  alarmEmail: "ops@example.com",
  firewall: true,
  console: true,
  canary: true,
  apiGatewayLogRole: true,
  proxiesParameter: "/gleaner/proxies",
  smtpParameter: "/gleaner/smtp",
  retention: { runDays: 90 },
  domain: { ...domain, zone: { id: "Z123", name: "example.com" } },
};

/** What excludes a part of that. */
export const part = {
  alarmEmail: "ops@example.com",
  domain,
  retention: { table: "delete" },
  limits: { executorMemory: 3008, concurrentRuns: 20, concurrentInspections: 2 },
  allowHosts: ["a.example:9443"],
  userAgent: "Test/1",
};

/** Settings with which the stack is checked. */
export const SETTINGS: Record<string, object> = { nothing: {}, everything, "a part": part };

/** The stacks that the tests of a file share, by their settings. */
const shared = new Map<string, ReturnType<typeof newStack>>();

/** The stack of a stage with these settings, as CloudFormation would get it. Tests only read it. */
export function synth(settings: object = {}): ReturnType<typeof newStack> {
  const key = JSON.stringify(settings);
  const found = shared.get(key) ?? newStack(settings);
  shared.set(key, found);
  return found;
}

/** The same, made anew, with these options. */
export function newStack(settings: object, { bundleTo, checks = false, change }: SynthOptions = {}) {
  const app = new App({
    context: {
      ...context,
      gleaner: settings,
      "aws:cdk:bundling-stacks": bundleTo ? ["**"] : [],
      "@aws-cdk/core:validateAgainstDefaultRules": checks,
    },
    builtinCloudFormationValidation: checks,
    outdir: bundleTo ?? mkdtempSync(join(tmpdir(), "gleaner-synth-")),
  });
  const stack = new GleanerStack(app, "gleaner-prod", { config: readConfig(app.node) });
  change?.(stack, app);
  return { app, stack, template: Template.fromStack(stack) };
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
}

/** The template's resources of a type, by logical id. */
export const resourcesOf = (template: Template, type: string): Record<string, Resource> =>
  template.findResources(type) as Record<string, Resource>;

export interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

/** All that a role may do, by the logical id of the role. */
export function statementsByRole(template: Template): Map<string, Statement[]> {
  const byRole = new Map<string, Statement[]>();
  for (const [id, { Properties }] of Object.entries(resourcesOf(template, "AWS::IAM::Role"))) {
    const { Policies = [] } = Properties as { Policies?: { PolicyDocument: { Statement: Statement[] } }[] };
    if (Policies.length > 0)
      byRole.set(
        id,
        Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      );
  }
  for (const { Properties } of Object.values(resourcesOf(template, "AWS::IAM::Policy"))) {
    const { Roles, PolicyDocument } = Properties as {
      Roles: { Ref: string }[];
      PolicyDocument: { Statement: Statement[] };
    };
    for (const { Ref } of Roles) byRole.set(Ref, [...(byRole.get(Ref) ?? []), ...PolicyDocument.Statement]);
  }
  return byRole;
}

export interface FunctionResource {
  id: string;
  /** File in functions/lambda, without its ending. */
  entry: string;
  role: string;
  timeout: number;
  variables: Record<string, unknown>;
  properties: Record<string, unknown>;
}

/** Id of each function's construct by its entry file: construct and file are named alike. */
const kebab = (name: string) => name.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** Routes have a folder of their own, and one for each resource. */
const routeEntries = globSync("api/**/*.ts", { cwd: join(PROJECT_FOLDER, "functions", "lambda") });

const entryOf = (name: string) =>
  routeEntries.find((path) => basename(path) === `${name}.ts`)?.replace(/\.ts$/, "") ?? name;

/** Every function of the stack, by the name of its entry file. */
export function functionsOf(template: Template, stack: GleanerStack): Record<string, FunctionResource> {
  const found: Record<string, FunctionResource> = {};
  for (const construct of stack.node.findAll()) {
    const cfn = construct.node.defaultChild;
    if (construct.constructor.name !== "ServiceFunction" || cfn === undefined) continue;
    const id = stack.resolve((cfn as unknown as { logicalId: unknown }).logicalId) as string;
    const properties = resourcesOf(template, "AWS::Lambda::Function")[id]?.Properties ?? {};
    found[kebab(construct.node.id)] = {
      id,
      entry: entryOf(kebab(construct.node.id)),
      role: (properties.Role as { "Fn::GetAtt": [string] })["Fn::GetAtt"][0],
      timeout: properties.Timeout as number,
      variables: (properties.Environment as { Variables: Record<string, unknown> }).Variables,
      properties,
    };
  }
  return found;
}
