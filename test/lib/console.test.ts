import { runInNewContext } from "node:vm";
import { describe, expect, test } from "@jest/globals";
import { isPage, PAGES } from "../../console/build/files.ts";
import { SECURITY_HEADERS } from "../../console/build/headers.ts";
import { routes } from "../../functions/contract/routes.ts";
import {
  type FunctionResource,
  functionsOf,
  type Resource,
  resourcesOf,
  type Statement,
  statementsByRole,
  synth,
} from "./synth.ts";

const { stack, template } = synth({ console: true });
const text = (value: unknown) => JSON.stringify(value);
const all = (type: string) => Object.values(resourcesOf(template, type));
/** Resources of a type that belong to the console: the bucket of the files of runs is another one. */
const own = (type: string) =>
  Object.entries(resourcesOf(template, type)).filter(([id]) => id.startsWith("Console"));
const only = (type: string): Record<string, unknown> => {
  const [[, found] = [], ...others] = own(type);
  expect(others).toEqual([]);
  return found?.Properties ?? {};
};

interface Behavior {
  PathPattern?: string;
  TargetOriginId: string;
  CachePolicyId: string;
  [name: string]: unknown;
}
interface Origin {
  Id: string;
  DomainName: unknown;
  [name: string]: unknown;
}
const distribution = only("AWS::CloudFront::Distribution").DistributionConfig as {
  Origins: Origin[];
  DefaultCacheBehavior: Behavior;
  CacheBehaviors: Behavior[];
  CustomErrorResponses: Record<string, unknown>[];
};
const behavior = (path: string) =>
  distribution.CacheBehaviors.find(({ PathPattern }) => PathPattern === path);
const originOf = (one: Behavior | undefined) =>
  distribution.Origins.find(({ Id }) => Id === one?.TargetOriginId);

/** Managed policies of CloudFront, by the ids that AWS documents. */
const CACHING_OPTIMIZED = "658327ea-f89d-4fab-a63d-7e88639e58f6";
const CACHING_DISABLED = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";
const ALL_VIEWER_EXCEPT_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac";

describe("the bucket", () => {
  test("is open to nobody, encrypted, and refuses plain connections", () => {
    expect(only("AWS::S3::Bucket")).toEqual({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  test("lets this distribution alone read its files, and list nothing", () => {
    const { Statement } = only("AWS::S3::BucketPolicy").PolicyDocument as {
      Statement: (Statement & { Principal: unknown })[];
    };
    const [denial, read, ...others] = Statement;
    expect(others).toEqual([]);
    expect(denial).toMatchObject({
      Effect: "Deny",
      Action: "s3:*",
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    });
    expect(read).toMatchObject({
      Effect: "Allow",
      Action: "s3:GetObject",
      Principal: { Service: "cloudfront.amazonaws.com" },
    });
    const [id = ""] = Object.keys(resourcesOf(template, "AWS::CloudFront::Distribution"));
    expect(Object.keys(read?.Condition as object)).toEqual(["StringEquals"]);
    expect(text(read?.Condition)).toContain(`:distribution/",{"Ref":"${id}"}`);
  });

  test("gets the distribution's requests signed", () => {
    expect(only("AWS::CloudFront::OriginAccessControl").OriginAccessControlConfig).toMatchObject({
      OriginAccessControlOriginType: "s3",
      SigningBehavior: "always",
      SigningProtocol: "sigv4",
    });
    const [access = ""] = Object.keys(resourcesOf(template, "AWS::CloudFront::OriginAccessControl"));
    for (const one of [distribution.DefaultCacheBehavior, behavior("/assets/*")])
      expect(originOf(one)).toMatchObject({
        DomainName: { "Fn::GetAtt": [expect.stringMatching(/^ConsoleBucket/), "RegionalDomainName"] },
        OriginAccessControlId: { "Fn::GetAtt": [access, "Id"] },
        S3OriginConfig: { OriginAccessIdentity: "" },
      });
  });
});

describe("the files", () => {
  test("are cached as they say, compressed, and read only", () => {
    for (const one of [distribution.DefaultCacheBehavior, behavior("/assets/*")]) {
      expect(one).toMatchObject({
        CachePolicyId: CACHING_OPTIMIZED,
        Compress: true,
        ViewerProtocolPolicy: "redirect-to-https",
      });
      // By default, GET and HEAD.
      expect(one).not.toHaveProperty("AllowedMethods");
    }
  });

  test("have the headers that the local service sends, and stay with HTTPS", () => {
    const [policy = ""] = Object.keys(resourcesOf(template, "AWS::CloudFront::ResponseHeadersPolicy"));
    for (const one of [distribution.DefaultCacheBehavior, behavior("/assets/*")])
      expect(one?.ResponseHeadersPolicyId).toEqual({ Ref: policy });
    const config = only("AWS::CloudFront::ResponseHeadersPolicy").ResponseHeadersPolicyConfig as {
      SecurityHeadersConfig: Record<string, Record<string, unknown>>;
      CustomHeadersConfig: { Items: { Header: string; Value: string; Override: boolean }[] };
    };
    const { ContentSecurityPolicy, ContentTypeOptions, ReferrerPolicy, StrictTransportSecurity, ...others } =
      config.SecurityHeadersConfig;
    expect(others).toEqual({});
    const custom = config.CustomHeadersConfig.Items;
    expect({
      ...Object.fromEntries(custom.map(({ Header, Value }) => [Header, Value])),
      "content-security-policy": ContentSecurityPolicy?.ContentSecurityPolicy,
      "referrer-policy": ReferrerPolicy?.ReferrerPolicy,
      ...(ContentTypeOptions && { "x-content-type-options": "nosniff" }),
    }).toEqual(SECURITY_HEADERS);
    expect(StrictTransportSecurity).toEqual({ AccessControlMaxAgeSec: 31_536_000, Override: true });
    for (const { Override } of [...custom, ...Object.values(config.SecurityHeadersConfig)])
      expect(Override).toBe(true);
  });

  test("no two regions of an account get equal names", () => {
    const names = [
      (only("AWS::CloudFront::ResponseHeadersPolicy").ResponseHeadersPolicyConfig as { Name: unknown }).Name,
      (only("AWS::CloudFront::OriginAccessControl").OriginAccessControlConfig as { Name: unknown }).Name,
      only("AWS::CloudFront::Function").Name,
    ];
    for (const name of names) expect(text(name)).toContain('{"Ref":"AWS::Region"}');
  });
});

describe("addresses of the console", () => {
  const { FunctionCode, FunctionConfig } = only("AWS::CloudFront::Function") as {
    FunctionCode: string;
    FunctionConfig: unknown;
  };
  interface Answer {
    uri?: string;
    querystring?: unknown;
    statusCode?: number;
    statusDescription?: string;
    headers: Record<string, { value: string }>;
    body?: { encoding: string; data: string };
  }
  /** What the function makes of a request. It runs with nothing of Node.js, as CloudFront has nothing of it. */
  const call = (uri: string, accept?: string): Answer => {
    const request = {
      method: "GET",
      uri,
      querystring: { status: { value: "failed" } },
      headers: { host: { value: "d111.cloudfront.net" }, ...(accept && { accept: { value: accept } }) },
      cookies: {},
    };
    const event = { version: "1.0", context: { eventType: "viewer-request" }, viewer: {}, request };
    return JSON.parse(
      runInNewContext(`${FunctionCode}; JSON.stringify(handler(JSON.parse(event)));`, { event: text(event) }),
    );
  };
  const paths = [
    ["/", ...PAGES.map((page) => `/${page}`), "/runs/01a1fc60-be76-7521-95ca-66000000ab99", "/scrapers/a/b"],
    ["/record/", "/scrapers/..", "/runs/a%2Fb", "/runsx", "/run", "/Runs", "//runs", "//", "/x/runs"],
    ["/index.html", "/favicon.ico", "/robots.txt", "/v1", "/v2/runs", "/assets", "/.env", "/wp-login.php"],
  ].flat();

  test.each(paths)("%s gets the page where the local service has one, and else 404", (path) => {
    const answer = call(path);
    if (isPage(path)) {
      expect(answer).toMatchObject({ uri: "/index.html", querystring: { status: { value: "failed" } } });
      expect(answer.headers.host).toEqual({ value: "d111.cloudfront.net" });
    } else {
      expect(answer).toMatchObject({ statusCode: 404, body: { encoding: "text" } });
      expect(answer.headers["content-type"]).toEqual({ value: "application/json" });
      expect(JSON.parse(answer.body?.data ?? "")).toEqual({ message: "There is no such endpoint." });
    }
  });

  test("who mistypes one gets a page that leads to the console, with 404, never to be cached", () => {
    const { statusCode, headers, body } = call("/scraper", "text/html,application/xhtml+xml,*/*;q=0.8");
    expect(statusCode).toBe(404);
    expect(headers["content-type"]).toEqual({ value: "text/html; charset=utf-8" });
    expect(headers["cache-control"]).toEqual({ value: "no-store" });
    expect(body?.data).toContain('<a href="/">Open the console</a>');
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(headers[name]).toEqual({ value });
  });

  test("an address of the API with a typo gets JSON, whatever its client accepts", () => {
    for (const path of ["//v1/runs", "/v1", "//v1"]) {
      const { statusCode, headers } = call(path, "text/html,*/*");
      expect([statusCode, headers["content-type"]]).toEqual([404, { value: "application/json" }]);
    }
    expect(call("/v10", "text/html").headers["content-type"]).toEqual({ value: "text/html; charset=utf-8" });
  });

  test("/reference leads to the API's, as on one machine", () => {
    const { statusCode, headers } = call("/reference", "text/html");
    expect([statusCode, headers.location]).toEqual([308, { value: routes.getReference.path }]);
  });

  test("are the function's, assets and the API are not", () => {
    expect(FunctionConfig).toMatchObject({ Runtime: "cloudfront-js-2.0" });
    const [id = ""] = Object.keys(resourcesOf(template, "AWS::CloudFront::Function"));
    expect(distribution.DefaultCacheBehavior.FunctionAssociations).toEqual([
      { EventType: "viewer-request", FunctionARN: { "Fn::GetAtt": [id, "FunctionARN"] } },
    ]);
    expect(distribution.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual(["/assets/*", "/v1/*"]);
    for (const one of distribution.CacheBehaviors) expect(one).not.toHaveProperty("FunctionAssociations");
    // CloudFront's limit.
    expect(Buffer.byteLength(FunctionCode)).toBeLessThan(10_240);
  });
});

describe("the API behind the console's name", () => {
  const api = behavior("/v1/*");

  test("gets each request as it is, with its key, and no response is kept, repeated or changed", () => {
    expect(api).toEqual({
      PathPattern: "/v1/*",
      TargetOriginId: originOf(api)?.Id,
      AllowedMethods: ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"],
      CachePolicyId: CACHING_DISABLED,
      OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
      Compress: false,
      ViewerProtocolPolicy: "https-only",
    });
  });

  test("has all routes below the path that leads there, unchanged", () => {
    for (const { path } of Object.values(routes)) expect(path).toMatch(/^\/v1\/./);
    expect(originOf(api)).not.toHaveProperty("OriginPath");
    template.hasResourceProperties("AWS::ApiGateway::Stage", { StageName: "v1" });
    const [id = ""] = Object.keys(resourcesOf(template, "AWS::ApiGateway::RestApi"));
    expect(text(originOf(api)?.DomainName)).toContain(`[{"Ref":"${id}"},".execute-api.",`);
  });

  test("may take as long as an inspection does, over TLS", () => {
    const { OriginReadTimeout, ...others } = (originOf(api) as Origin).CustomOriginConfig as {
      OriginReadTimeout: number;
    };
    const { timeout = 0 } = functionsOf(template, stack)["execute-inspection"] ?? {};
    expect(OriginReadTimeout).toBeGreaterThanOrEqual(timeout + 20);
    // CloudFront's quota.
    expect(OriginReadTimeout).toBeLessThanOrEqual(120);
    expect(others).toEqual({ OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] });
  });

  test("has its own errors: none is replaced, and none is repeated to others for ten seconds", () => {
    const codes = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];
    expect(distribution.CustomErrorResponses).toEqual(
      codes.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });
});

describe("the publisher", () => {
  const publisher = functionsOf(template, stack)["publish-console"] as FunctionResource;

  test("may change files of this bucket, and nothing else", () => {
    const [[bucket = ""] = []] = own("AWS::S3::Bucket");
    const arn = { "Fn::GetAtt": [bucket, "Arn"] };
    const statements = (statementsByRole(template).get(publisher.role) ?? []).filter(
      ({ Action }) => !/logs:|xray:/.test(text(Action)),
    );
    expect(statements).toEqual([
      {
        Effect: "Allow",
        Action: ["s3:PutObject", "s3:DeleteObject"],
        Resource: { "Fn::Join": ["", [arn, "/*"]] },
      },
      { Effect: "Allow", Action: "s3:ListBucket", Resource: arn },
    ]);
  });

  test("is called when its files change, and given up on soon", () => {
    const [[bucket = ""] = []] = own("AWS::S3::Bucket");
    expect(only("Custom::ConsoleFiles")).toEqual({
      ServiceToken: { "Fn::GetAtt": [publisher.id, "Arn"] },
      ServiceTimeout: "600",
      Bucket: { Ref: bucket },
      Version: (publisher.properties.Code as { S3Key: string }).S3Key,
    });
    expect(publisher.timeout * 3).toBeLessThan(600);
  });

  test("can still empty the bucket when the stack is deleted", () => {
    const { DependsOn } = resourcesOf(template, "AWS::Lambda::Function")[publisher.id] as Resource & {
      DependsOn: string[];
    };
    expect(DependsOn).toContain(publisher.role);
  });
});

describe("the stack", () => {
  test("keeps nothing of the console after it has gone", () => {
    const resources = template.toJSON().Resources as Record<
      string,
      { Type: string; DeletionPolicy?: string }
    >;
    const parts = Object.entries(resources).filter(([id]) => id.startsWith("Console"));
    expect(parts.map(([, { Type }]) => Type).sort()).toEqual([
      "AWS::CloudFront::Distribution",
      "AWS::CloudFront::Function",
      "AWS::CloudFront::OriginAccessControl",
      "AWS::CloudFront::ResponseHeadersPolicy",
      "AWS::IAM::Role",
      "AWS::Lambda::Function",
      "AWS::Logs::LogGroup",
      "AWS::S3::Bucket",
      "AWS::S3::BucketPolicy",
      "Custom::ConsoleFiles",
    ]);
    for (const [, { DeletionPolicy = "Delete" }] of parts) expect(DeletionPolicy).toBe("Delete");
    // Without a group of its own, a function leaves one that Lambda has created.
    for (const { Properties } of all("AWS::Lambda::Function"))
      expect(Properties.LoggingConfig).toMatchObject({ LogGroup: { Ref: expect.any(String) } });
  });

  test("says where the console is", () => {
    const [id = ""] = Object.keys(resourcesOf(template, "AWS::CloudFront::Distribution"));
    expect(template.findOutputs("ConsoleUrl").ConsoleUrl?.Value).toEqual({
      "Fn::Join": ["", ["https://", { "Fn::GetAtt": [id, "DomainName"] }]],
    });
  });

  test("has one more role, which may touch no more than what it names", () => {
    for (const [, statements] of statementsByRole(template))
      for (const { Action } of statements) expect(text(Action)).not.toContain("*");
    expect(
      all("AWS::IAM::Role").flatMap(({ Properties }) => Properties.ManagedPolicyArns ?? []),
    ).toHaveLength(1);
  });

  test("is without the setting what it was", () => {
    const { template: without } = synth();
    const { Resources: bare, Outputs: told } = without.toJSON();
    const { Resources, Outputs } = template.toJSON();
    /** Alerts have links to the console. */
    const links = (of: object) =>
      JSON.parse(text(of), (name, value) => (name === "CONSOLE_URL" ? undefined : value));
    const withoutConsole = (of: object) =>
      links(Object.fromEntries(Object.entries(of).filter(([id]) => !id.startsWith("Console"))));
    expect(withoutConsole(Resources)).toEqual(bare);
    expect(withoutConsole(Outputs)).toEqual(told);
    expect(text(bare)).not.toMatch(/CloudFront/);
  });
});
