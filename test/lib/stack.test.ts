import { describe, expect, test } from "@jest/globals";
import { Match } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { routes } from "../../functions/contract/routes.ts";
import { hooksKey } from "../../functions/store/hooks/hook-keys.ts";
import {
  everything,
  functionsOf,
  part,
  type Resource,
  resourcesOf,
  SETTINGS,
  type Statement,
  statementsByRole,
  synth,
} from "./synth.ts";

/** A statement of a resource's own policy. */
type ResourceStatement = Statement & { Principal: { Service?: string } };

const { stack, template } = synth();
const functions = Object.values(functionsOf(template, stack));
const all = (type: string) => Object.entries(resourcesOf(template, type));
const text = (value: unknown) => JSON.stringify(value);

/*
 * A resource's own policy replaces the default of some services. Without one, the policies of roles are enough for SQS,
 * and a Deny takes nothing else away. A bucket has no default.
 */
test("every resource with a policy of its own lets in the services that use it", () => {
  const { template: full } = synth(everything);
  const policies = Object.values(full.toJSON().Resources as Record<string, Resource>).filter(
    ({ Type }) => /Policy$/.test(Type) && !/^AWS::(IAM|CloudFront)::/.test(Type),
  );
  const services = new Map<string, Set<unknown>>();
  for (const { Type, Properties } of policies) {
    const { Statement: statements } = Properties.PolicyDocument as { Statement: ResourceStatement[] };
    const allowed = services.get(Type) ?? new Set();
    services.set(Type, allowed);
    for (const { Effect, Principal } of statements) if (Effect === "Allow") allowed.add(Principal.Service);
  }
  expect(Object.fromEntries(services)).toEqual({
    "AWS::SNS::TopicPolicy": new Set(["cloudwatch.amazonaws.com"]),
    "AWS::SQS::QueuePolicy": new Set(),
    "AWS::S3::BucketPolicy": new Set(["cloudfront.amazonaws.com"]),
  });
});

describe("queues", () => {
  const queues = all("AWS::SQS::Queue");
  const mappings = all("AWS::Lambda::EventSourceMapping");

  test("every queue that is worked on sets aside what keeps failing", () => {
    expect(mappings).toHaveLength(3);
    for (const [, { Properties }] of mappings) {
      const id = (Properties.EventSourceArn as { "Fn::GetAtt": string[] })["Fn::GetAtt"][0];
      const queue = queues.find(([name]) => name === id)?.[1].Properties as Record<string, never>;
      expect(queue.RedrivePolicy).toMatchObject({ maxReceiveCount: 5 });
    }
  });

  test("a message stays hidden for longer than its function may take", () => {
    for (const [, { Properties }] of mappings) {
      const id = (Properties.EventSourceArn as { "Fn::GetAtt": string[] })["Fn::GetAtt"][0];
      const queue = queues.find(([name]) => name === id)?.[1].Properties as { VisibilityTimeout: number };
      const fn = functions.find((one) => one.id === (Properties.FunctionName as { Ref: string }).Ref);
      expect(fn?.timeout).toBeLessThan(queue.VisibilityTimeout);
    }
  });

  test("messages are handed over one by one, failures are reported, and executions are bounded", () => {
    for (const [, { Properties }] of mappings) {
      expect(Properties).toMatchObject({
        BatchSize: 1,
        FunctionResponseTypes: ["ReportBatchItemFailures"],
        ScalingConfig: { MaximumConcurrency: expect.any(Number) },
      });
    }
  });

  test("all are encrypted and refuse plain connections", () => {
    expect(queues).toHaveLength(7);
    for (const [, { Properties }] of queues) expect(Properties.SqsManagedSseEnabled).toBe(true);
    const denials = all("AWS::SQS::QueuePolicy").filter(([, policy]) =>
      text(policy).includes('"aws:SecureTransport":"false"'),
    );
    expect(denials).toHaveLength(queues.length);
  });
});

const partitions = (...patterns: string[]) => [
  { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns } },
];
/** The same, without what accounts own. */
const accounts = (...patterns: string[]) =>
  partitions(...patterns).map((condition) => ({
    ...condition,
    "ForAllValues:StringNotLike": { "dynamodb:LeadingKeys": ["ACCOUNT#*#*"] },
  }));

describe("functions", () => {
  test("each has a role of its own", () => {
    expect(new Set(functions.map(({ role }) => role)).size).toBe(functions.length);
    expect(all("AWS::Lambda::Function")).toHaveLength(functions.length);
  });

  test("no role may touch more than what it names; X-Ray has no names, and schedules get theirs later", () => {
    for (const [role, statements] of statementsByRole(template)) {
      for (const { Action, Resource, Effect } of statements) {
        expect(Effect).toBe("Allow");
        expect(text(Action)).not.toContain("*");
        if (text(Action).includes("xray:")) continue;
        const named = text(Resource)
          .replace(":schedule/gleaner-prod-schedules/*", "")
          .replace(":parameter/gleaner/prod/secrets/*", "")
          // The files of runs, by their bucket.
          .replace(/"StoreFilesBucket\w+","Arn"\]\},"\/\*"/, "");
        expect(`${role} ${named}`).not.toContain("*");
      }
    }
    for (const [id, { Properties }] of all("AWS::IAM::Role")) {
      if (!id.includes("CloudWatchRole")) expect(Properties.ManagedPolicyArns).toBeUndefined();
    }
  });

  const roleOf = (entry: string) => functions.find((one) => one.entry === entry)?.role ?? "";
  const allowed = (entry: string, action: string) =>
    (statementsByRole(template).get(roleOf(entry)) ?? []).filter(({ Action }) =>
      [Action].flat().includes(action),
    );

  test("the broker alone may read secrets, those of its stage, decrypts nothing else, and creates the keys of sessions", () => {
    const readers = [...statementsByRole(template)].flatMap(([role, statements]) =>
      statements.flatMap(({ Action, Resource }) =>
        /ssm:|kms:/.test(text(Action)) ? [{ role, Action, Resource }] : [],
      ),
    );
    expect(readers).toEqual([
      {
        role: roleOf("read-secrets"),
        Action: "ssm:GetParametersByPath",
        Resource: { "Fn::Join": ["", expect.arrayContaining([":parameter/gleaner/prod/secrets/*"])] },
      },
      {
        role: roleOf("read-secrets"),
        Action: "ssm:PutParameter",
        Resource: {
          "Fn::Join": ["", expect.arrayContaining([":parameter/gleaner/prod/secrets/*/.session-key"])],
        },
      },
    ]);
  });

  test("only what has a browser, stores sign-ins or sends rows asks the broker, which reads tickets and nothing else in the table", () => {
    const callers = functions.filter(({ entry }) => allowed(entry, "lambda:InvokeFunction").length > 0);
    const called = callers.map(({ entry }) => {
      const [statement, ...others] = allowed(entry, "lambda:InvokeFunction");
      expect(others).toEqual([]);
      const resource = text(statement?.Resource);
      return [entry, functions.find(({ id }) => resource === text({ "Fn::GetAtt": [id, "Arn"] }))?.entry];
    });
    expect(called.sort()).toEqual([
      ["api/create-inspection", "execute-inspection"],
      ["api/sessions/put-session", "read-secrets"],
      ["deliver-webhook", "read-secrets"],
      ["execute-inspection", "read-secrets"],
      ["execute-run", "read-secrets"],
    ]);
    expect(allowed("read-secrets", "dynamodb:GetItem")).toMatchObject([
      {
        Action: "dynamodb:GetItem",
        Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["TICKET#*"] } },
      },
    ]);
  });

  test("what serves agents checks keys, and knows where the API is, that of its domain if it has one", () => {
    const condition = (action: string) =>
      allowed("api/call-mcp", `dynamodb:${action}`).map(({ Condition }) => Condition);
    expect(condition("GetItem")).toEqual(accounts("KEY#*", "ACCOUNT#*"));
    expect(condition("UpdateItem")).toEqual(partitions("KEY#*"));
    const mcp = functions.find(({ entry }) => entry === "api/call-mcp");
    expect(text(mcp?.variables.BASE_URL)).toMatch(/"https:\/\/",\{"Ref":"ApiRestApi/);
    const own = synth(part);
    const { variables } = functionsOf(own.template, own.stack)["call-mcp"] ?? {};
    expect(variables?.BASE_URL).toBe("https://api.example.com");
  });

  test("what needs no key can do nothing in the table, but for one read of the check of the service", () => {
    const open = Object.entries(routes).filter(([, { scope }]) => scope === "none");
    expect(open.map(([name]) => name)).toEqual(["getOpenApi", "getReference", "getHealth"]);
    for (const entry of ["api/get-open-api", "api/get-reference", "api/get-health"]) {
      const statements = statementsByRole(template).get(roleOf(entry)) ?? [];
      const ofTable = statements.filter(({ Action }) => text(Action).includes("dynamodb:"));
      const read = {
        Action: "dynamodb:GetItem",
        Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["ACCOUNT#"] } },
      };
      expect(ofTable).toMatchObject(entry === "api/get-health" ? [read] : []);
    }
  });

  test("the executor reads and writes runs and what they use, of accounts it reads the account alone", () => {
    const like = (action: string) =>
      allowed("execute-run", `dynamodb:${action}`).map(({ Condition }) => Condition);
    const own = partitions(
      "ACCOUNT#*#RUNS",
      "ACCOUNT#*#RUN#*",
      "ACCOUNT#*#CREDITS#*",
      "ACCOUNT#*#STORAGE",
      "ACCOUNT#*#HOST#*",
      "ACCOUNT#*#MEMORY#*",
      "ACCOUNT#*#SESSIONS",
    );
    for (const action of ["BatchGetItem", "Query", "PutItem", "UpdateItem"])
      expect(like(action)).toEqual(own);
    expect(like("DeleteItem")).toEqual(partitions("ACCOUNT#*#MEMORY#*"));
    expect(like("GetItem")).toEqual([...own, ...accounts("ACCOUNT#*")]);
    // Addresses of hooks may hold secrets. The account's own partition is the only one without a second "#".
    expect(hooksKey("name").pk).toBe("ACCOUNT#name#HOOKS");
  });

  test("the inspector counts credits, takes turns and keeps sessions, and may do nothing else in the table", () => {
    const ownPartitions = {
      "dynamodb:LeadingKeys": ["ACCOUNT#*#CREDITS#*", "ACCOUNT#*#HOST#*", "ACCOUNT#*#SESSIONS"],
    };
    for (const action of ["GetItem", "UpdateItem"])
      expect(allowed("execute-inspection", `dynamodb:${action}`)).toMatchObject([
        { Condition: { "ForAllValues:StringLike": ownPartitions } },
      ]);
    for (const action of ["BatchGetItem", "PutItem", "Query", "DeleteItem"])
      expect(allowed("execute-inspection", `dynamodb:${action}`)).toEqual([]);
  });

  test("inspections have concurrency of their own if it is set, which runs can't use up", () => {
    const Description = "Does inspections in a headless browser";
    template.hasResourceProperties("AWS::Lambda::Function", {
      Description,
      ReservedConcurrentExecutions: Match.absent(),
    });
    synth(part).template.hasResourceProperties("AWS::Lambda::Function", {
      Description,
      ReservedConcurrentExecutions: 2,
    });
  });

  test("no function's code can take messages: Lambda does, whose requests name no function", () => {
    for (const { entry } of functions) {
      for (const statement of allowed(entry, "sqs:ReceiveMessage")) {
        expect(statement).toMatchObject({ Condition: { Null: { "lambda:SourceFunctionArn": "true" } } });
      }
    }
    expect(allowed("execute-run", "sqs:ReceiveMessage")).toHaveLength(1);
    expect(allowed("deliver-webhook", "sqs:ReceiveMessage")).toHaveLength(1);
  });

  test("all run on Lambda's Node 24 with source maps and traces; only the browser needs x86-64", () => {
    for (const { entry, properties, variables } of functions) {
      const arch = entry === "execute-run" || entry === "execute-inspection" ? "x86_64" : "arm64";
      expect(properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: [arch] });
      expect(properties).toMatchObject({ TracingConfig: { Mode: "Active" } });
      expect(variables.NODE_OPTIONS).toBe("--enable-source-maps");
    }
  });

  test("the executor may take as long as Lambda lets it, with the memory that was set", () => {
    const executor = synth(part);
    executor.template.hasResourceProperties("AWS::Lambda::Function", {
      MemorySize: 3008,
      Timeout: 890,
      Architectures: ["x86_64"],
    });
    executor.template.hasResourceProperties("AWS::Lambda::EventSourceMapping", {
      ScalingConfig: { MaximumConcurrency: 20 },
    });
  });

  test("Lambda does not take for a fault that functions send to queues which lead back to them", () => {
    const sends = (role: string) =>
      (statementsByRole(template).get(role) ?? [])
        .filter(({ Action }) => [Action].flat().includes("sqs:SendMessage"))
        .flatMap(({ Resource }) => [Resource].flat().map(text));
    /** The functions that a function's messages invoke. */
    const next = (role: string) =>
      all("AWS::Lambda::EventSourceMapping")
        .filter(([, { Properties }]) => sends(role).includes(text(Properties.EventSourceArn)))
        .map(([, { Properties }]) => (Properties.FunctionName as { Ref: string }).Ref);
    const reachable = new Map<string, Set<string>>();
    for (const { id, role } of functions) {
      const found = new Set(next(role));
      for (const one of found)
        for (const other of next(functions.find((fn) => fn.id === one)?.role ?? "")) found.add(other);
      reachable.set(id, found);
    }
    const looping = functions.filter(({ id }) => reachable.get(id)?.has(id));
    expect(looping.map(({ entry }) => entry).sort()).toEqual([
      "advance-batch",
      "deliver-webhook",
      "execute-run",
    ]);
    for (const { id, properties } of functions)
      expect(properties.RecursiveLoop).toBe(looping.some((one) => one.id === id) ? "Allow" : undefined);
  });

  test("Lambda does not retry what the next sweep does: a failed sweep, or a late occurrence of a schedule", () => {
    const configured = all("AWS::Lambda::EventInvokeConfig").map(([, { Properties }]) => {
      const { FunctionName, MaximumRetryAttempts, MaximumEventAgeInSeconds } = Properties;
      const fn = functions.find(({ id }) => text({ Ref: id }) === text(FunctionName));
      return [fn?.entry, MaximumRetryAttempts, MaximumEventAgeInSeconds];
    });
    expect(configured.sort()).toEqual([
      ["start-scheduled-run", 0, 120],
      ["sweep", 0, 60],
    ]);
  });

  test("logs expire and go with the stack", () => {
    const groups = all("AWS::Logs::LogGroup");
    const ids = new Set(groups.map(([id]) => id));
    for (const [, { Properties }] of all("AWS::Lambda::Function")) {
      const { LogGroup } = Properties.LoggingConfig as { LogGroup: { Ref: string } };
      expect(ids).toContain(LogGroup.Ref);
    }
    for (const [, group] of groups) {
      expect(group.Properties.RetentionInDays).toBe(30);
      expect(group.DeletionPolicy).toBe("Delete");
    }
  });
});

describe("the API", () => {
  const methods = all("AWS::ApiGateway::Method").map(([, { Properties }]) => Properties);
  const lambdas = methods.filter((one) => text(one.Integration).includes("AWS_PROXY"));

  test("every route really streams", () => {
    const reads = Object.values(routes).filter(({ method }) => method === "GET");
    // Each GET has a HEAD, and each resource a method for all others.
    const resources = new Set(methods.map(({ ResourceId }) => text(ResourceId)));
    expect(lambdas).toHaveLength(Object.keys(routes).length + reads.length + resources.size);
    expect(lambdas).toHaveLength(methods.length);
    for (const { Integration } of lambdas) {
      expect(Integration).toMatchObject({ ResponseTransferMode: "STREAM", TimeoutInMillis: 900_000 });
      expect(text(Integration)).toContain("/response-streaming-invocations");
    }
  });

  test("is all that is public", () => {
    template.resourceCountIs("AWS::Lambda::Url", 0);
    const [[, files] = [], ...others] = all("AWS::S3::Bucket");
    expect(others).toEqual([]);
    expect(files?.Properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    const callers = all("AWS::Lambda::Permission").map(([, { Properties }]) => Properties.Principal);
    expect(new Set(callers)).toEqual(new Set(["apigateway.amazonaws.com", "events.amazonaws.com"]));
    for (const [, { Properties }] of all("AWS::Lambda::Permission")) {
      expect(Properties.SourceArn).toBeDefined();
    }
  });

  test("keeps no answer about a key: each request is admitted anew", () => {
    template.resourceCountIs("AWS::ApiGateway::Authorizer", 0);
    for (const [, { Properties }] of all("AWS::ApiGateway::Stage")) {
      expect(Properties).not.toHaveProperty("CacheClusterEnabled");
      expect(text(Properties.MethodSettings)).not.toContain("CachingEnabled");
    }
  });

  test("passes what no route matches to a function of its own, which may be called for any path and method", () => {
    const { id = "", properties } = functionsOf(template, stack)["unknown-route"] ?? {};
    expect(properties).toMatchObject({ Description: "Refuse requests that no route matches" });
    const resources = new Set(methods.map(({ ResourceId }) => text(ResourceId)));
    const any = lambdas.filter(({ HttpMethod }) => HttpMethod === "ANY");
    expect(new Set(any.map(({ ResourceId }) => text(ResourceId)))).toEqual(resources);
    for (const { Integration } of any) expect(text(Integration)).toContain(id);
    template.hasResourceProperties("AWS::ApiGateway::Resource", { PathPart: "{unknown+}" });
    const permissions = all("AWS::Lambda::Permission").filter(([, one]) => text(one).includes(id));
    expect(permissions.map(([, { Properties }]) => text(Properties.SourceArn))).toEqual([
      expect.stringMatching(/"\/\*\/\*\/\*"/),
    ]);
    template.hasResourceProperties("AWS::ApiGateway::GatewayResponse", {
      ResponseType: "MISSING_AUTHENTICATION_TOKEN",
      StatusCode: "404",
    });
  });

  test("answers in our shape whatever goes wrong, and never quotes the request", () => {
    for (const [, { Properties }] of all("AWS::ApiGateway::GatewayResponse")) {
      const { "application/json": body = "" } = Properties.ResponseTemplates as Record<string, string>;
      expect(Object.keys(JSON.parse(body))).toEqual(["message"]);
      expect(body).not.toContain("$context");
      for (const value of Object.values(Properties.ResponseParameters as Record<string, string>)) {
        expect(value).toMatch(/^'.*'$/);
      }
    }
  });

  test("logs each request without its headers, query or API Gateway's messages", () => {
    const [stage] = Object.values(resourcesOf(template, "AWS::ApiGateway::Stage"));
    const log = stage?.Properties.AccessLogSetting as { Format: string } | undefined;
    const format = log?.Format ?? "";
    expect(format).not.toMatch(/header|query|authoriz|error\.message|apiKey/i);
    expect(JSON.parse(format)).toMatchObject({ status: "$context.status", requestId: "$context.requestId" });
    expect(stage?.Properties.MethodSettings).toMatchObject([
      { LoggingLevel: "OFF", DataTraceEnabled: false, ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 },
    ]);
  });

  test("the base URL has no path, since the version is the stage", () => {
    template.hasResourceProperties("AWS::ApiGateway::Stage", { StageName: "v1" });
    const url = text(template.findOutputs("BaseUrl").BaseUrl?.Value);
    expect(url).toMatch(/execute-api.*URLSuffix"}]]}$/);
  });

  test("takes a domain of one's own, with and without a zone", () => {
    const without = synth(part).template;
    without.hasResourceProperties("AWS::ApiGateway::BasePathMapping", { BasePath: "v1" });
    without.resourceCountIs("AWS::Route53::RecordSet", 0);
    expect(without.findOutputs("BaseUrl").BaseUrl?.Value).toBe("https://api.example.com");
    synth(everything).template.hasResourceProperties("AWS::Route53::RecordSet", {
      Name: "api.example.com.",
      HostedZoneId: "Z123",
    });
  });

  test("gets a firewall only when asked for one", () => {
    template.resourceCountIs("AWS::WAFv2::WebACL", 0);
    const guarded = synth(everything).template;
    guarded.resourceCountIs("AWS::WAFv2::WebACL", 1);
    guarded.hasResourceProperties("AWS::WAFv2::WebACLAssociation", {
      ResourceArn: Match.objectLike({ "Fn::Join": Match.anyValue() }),
    });
  });
});

describe("a canary", () => {
  const { template: careful } = synth(everything);
  const aliases = Object.entries(resourcesOf(careful, "AWS::Lambda::Alias"));

  test("gives a tenth of each function's requests to a new version, and takes it back on 5xx", () => {
    // Each route has a function, and so have the requests that no route matches.
    expect(aliases).toHaveLength(Object.keys(routes).length + 1);
    const groups = Object.entries(resourcesOf(careful, "AWS::CodeDeploy::DeploymentGroup"));
    const named = aliases.map(([, alias]) => {
      const { CodeDeployLambdaAliasUpdate: update } = (alias as { UpdatePolicy?: Record<string, unknown> })
        .UpdatePolicy as { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: string } } };
      return update.DeploymentGroupName.Ref;
    });
    expect(named.sort()).toEqual(groups.map(([id]) => id).sort());
    const [alarm = ""] = Object.keys(resourcesOf(careful, "AWS::CloudWatch::Alarm")).filter((id) =>
      id.includes("ServerErrors"),
    );
    for (const [, { Properties }] of groups) {
      expect(Properties).toMatchObject({
        DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent10Minutes",
        AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: alarm } }] },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: expect.arrayContaining(["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"]),
        },
      });
    }
  });

  test("the API calls the aliases alone, and may", () => {
    const methods = Object.values(resourcesOf(careful, "AWS::ApiGateway::Method"));
    const called = methods.flatMap(({ Properties }) => {
      const integration = text(Properties.Integration);
      return aliases.filter(([id]) => integration.includes(`{"Ref":"${id}"}`)).map(([id]) => id);
    });
    expect([...new Set(called)].sort()).toEqual(aliases.map(([id]) => id).sort());
    expect(called).toHaveLength(methods.length);
    const permitted = Object.values(resourcesOf(careful, "AWS::Lambda::Permission")).filter(
      ({ Properties }) => Properties.Principal === "apigateway.amazonaws.com",
    );
    expect(new Set(permitted.map(({ Properties }) => text(Properties.FunctionName)))).toEqual(
      new Set(aliases.map(([id]) => text({ Ref: id }))),
    );
  });

  test("is not there unless it is set", () => {
    template.resourceCountIs("AWS::Lambda::Alias", 0);
    template.resourceCountIs("AWS::CodeDeploy::Application", 0);
  });
});

describe("the table", () => {
  test("is paid by request, encrypted, restorable, and kept", () => {
    template.hasResource("AWS::DynamoDB::Table", {
      DeletionPolicy: "RetainExceptOnCreate",
      UpdateReplacePolicy: "Retain",
      Properties: {
        BillingMode: "PAY_PER_REQUEST",
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
      },
    });
  });

  test("goes with the stack when it is set to", () => {
    synth(part).template.hasResource("AWS::DynamoDB::Table", {
      DeletionPolicy: "Delete",
      Properties: { DeletionProtectionEnabled: false },
    });
  });

  test("may be one that exists, which the stack uses like its own and leaves alone", () => {
    const { template: adopting, stack: own } = synth({ table: { existing: "gleaner-restored" } });
    adopting.resourceCountIs("AWS::DynamoDB::Table", 0);
    expect(adopting.findOutputs("TableName").TableName?.Value).toBe("gleaner-restored");
    for (const { role, variables, entry } of Object.values(functionsOf(adopting, own))) {
      if (entry === "api/get-open-api" || entry === "api/get-reference") continue;
      expect(variables.TABLE_NAME).toBe("gleaner-restored");
      const tables = (from: typeof adopting) =>
        (statementsByRole(from).get(role) ?? []).filter(({ Action }) => text(Action).includes("dynamodb:"));
      const named = text(tables(adopting).map(({ Resource }) => Resource));
      expect(named).toContain(":table/gleaner-restored");
      expect(named).not.toContain("*");
      expect(tables(adopting).map(({ Action }) => Action)).toEqual(
        tables(template).map(({ Action }) => Action),
      );
    }
  });

  test("is all that is left after the stack has gone", () => {
    const kept = Object.entries(
      template.toJSON().Resources as Record<string, { DeletionPolicy?: string }>,
    ).filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith("Retain"));
    const [table, files] = [
      expect.stringContaining("StoreTable"),
      expect.stringContaining("StoreFilesBucket"),
    ];
    expect(kept.map(([id]) => id)).toEqual([table, files]);
  });
});

describe("schedules", () => {
  test("may start their one target, set aside what fails, and nothing else", () => {
    const [role, statements] =
      [...statementsByRole(template)].find(([id]) => id.startsWith("SchedulesRole")) ?? [];
    expect(statements).toEqual([
      expect.objectContaining({
        Action: "lambda:InvokeFunction",
        Resource: { "Fn::GetAtt": [expect.stringContaining("StartScheduledRun"), "Arn"] },
      }),
      expect.objectContaining({ Action: "sqs:SendMessage" }),
    ]);
    const trust = text(
      resourcesOf(template, "AWS::IAM::Role")[role ?? ""]?.Properties.AssumeRolePolicyDocument,
    );
    expect(trust).toContain("scheduler.amazonaws.com");
    expect(trust).toContain("aws:SourceArn");
  });

  test("whoever makes them may hand their role to EventBridge Scheduler alone", () => {
    const passing = [...statementsByRole(template).values()]
      .flat()
      .filter(({ Action }) => text(Action).includes("iam:PassRole"));
    expect(passing).toHaveLength(5);
    for (const { Condition } of passing)
      expect(Condition).toEqual({ StringEquals: { "iam:PassedToService": "scheduler.amazonaws.com" } });
  });

  test("the sweeper runs each minute", () => {
    template.hasResourceProperties("AWS::Events::Rule", { ScheduleExpression: "rate(1 minute)" });
  });
});

describe("watching", () => {
  test("every alarm names its runbook, and mails to whom it is set", () => {
    const { template: watched } = synth(part);
    const alarms = Object.values(resourcesOf(watched, "AWS::CloudWatch::Alarm"));
    expect(alarms).toHaveLength(12);
    for (const { Properties } of alarms) {
      expect(Properties.AlarmDescription).toMatch(/docs\/runbooks\.md#[a-z-]+$/);
      expect(Properties.AlarmActions).toHaveLength(1);
    }
    watched.hasResourceProperties("AWS::SNS::Subscription", {
      Protocol: "email",
      Endpoint: "ops@example.com",
    });
    template.resourceCountIs("AWS::SNS::Topic", 0);
  });

  test("alarms may publish to their topic, whose policy replaces the default of SNS", () => {
    const { template: watched } = synth(part);
    const [Ref = ""] = Object.keys(resourcesOf(watched, "AWS::SNS::Topic"));
    const permission = Match.objectLike({
      Effect: "Allow",
      Action: "sns:Publish",
      Principal: { Service: "cloudwatch.amazonaws.com" },
      Resource: { Ref },
      Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
    });
    watched.hasResourceProperties("AWS::SNS::TopicPolicy", {
      Topics: [{ Ref }],
      PolicyDocument: { Statement: Match.arrayWith([permission]) },
    });
  });

  test("four more metrics are watched than CloudWatch watches for free", () => {
    const metrics = all("AWS::CloudWatch::Alarm").map(([, { Properties }]) => {
      const inMath = Properties.Metrics as { MetricStat?: object }[] | undefined;
      return inMath ? inMath.filter((one) => one.MetricStat).length : 1;
    });
    expect(metrics.reduce((sum, count) => sum + count)).toBe(14);
  });

  test("the dashboard has the region in its name, because all regions share one list", () => {
    template.hasResourceProperties("AWS::CloudWatch::Dashboard", {
      DashboardName: { "Fn::Join": ["", ["gleaner-prod-", { Ref: "AWS::Region" }]] },
    });
  });

  test("silence of the sweeper is an alarm, silence of the rest is not; a new sweeper is not silent", () => {
    const { template: watched } = synth(part);
    for (const [id, { Properties }] of Object.entries(resourcesOf(watched, "AWS::CloudWatch::Alarm"))) {
      // An alarm begins without data, and acts when its state changes.
      const expected = id.includes("NoSweeps") ? Properties.AlarmActions : undefined;
      expect(Properties.InsufficientDataActions).toEqual(expected);
    }

    const missing = all("AWS::CloudWatch::Alarm").map(([id, { Properties }]) => [
      id,
      Properties.TreatMissingData,
    ]);
    for (const [id, treatment] of missing) {
      expect(treatment).toBe(String(id).includes("NoSweeps") ? "missing" : "notBreaching");
    }
  });
});

test("the stack has every output that the command line reads", () => {
  const found = synth(everything).template.findOutputs("*");
  const read = [
    "TableName",
    "SecretsPath",
    "FilesBucketName",
    "BaseUrl",
    "ConsoleUrl",
    "ConcurrentExecutions",
  ];
  expect(Object.keys(found)).toEqual(expect.arrayContaining(read));
  expect(found.ConcurrentExecutions?.Value).toBe("10");
});

/** CloudFormation's limit for a stack. */
const RESOURCES_MAX = 500;

test("the stack with everything that can be set is small enough for CloudFormation, with room for more routes", () => {
  const { template: largest } = synth(everything);
  expect(Object.keys(largest.toJSON().Resources).length).toBeLessThanOrEqual(RESOURCES_MAX - 20);
});

test.each(Object.entries(SETTINGS))("cdk-nag's AwsSolutions find nothing where %s is set", (_, settings) => {
  const { app } = synth(settings);
  const { violations } = new AwsSolutionsChecks(app).validateScope(app);
  expect(violations.map(({ ruleName, violatingResources }) => ({ ruleName, violatingResources }))).toEqual(
    [],
  );
});
