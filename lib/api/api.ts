import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  type Resource,
  ResponseTransferMode,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { type HandlerName, type RouteName, routes } from "../../functions/contract/routes.ts";
import { ApiDomain, type ApiDomainProps } from "./api-domain.ts";
import { ApiFirewall } from "./api-firewall.ts";
import { setGatewayResponses } from "./gateway-responses.ts";

export interface ApiProps {
  serviceName: string;
  logDays: number;
  /** The function of each handler, or its alias. */
  functions: Record<HandlerName, IFunction>;
  /** The rate limit of the whole API, in requests per second, and its burst limit. */
  requestsPerSecond: number;
  requestBurst: number;
  domain?: ApiDomainProps | undefined;
  firewall: boolean;
  /** Whether to create the role for the logs of API Gateway. An account has one such role per region. */
  logRole: boolean;
}

/** The maximum timeout of API Gateway for streamed responses. */
export const API_TIMEOUT = Duration.minutes(15);

/**
 * Every path of the contract starts with the version. A REST API adds the name of its stage before each path. So the
 * stage is named like the version, and the paths of the resources omit it. Thus all URLs, also in `Location` headers,
 * have the paths of the contract.
 */
const STAGE = "v1";

/** The REST API, generated from the contract's route table. */
export class Api extends Construct {
  readonly restApi: RestApi;
  /** The host name that API Gateway assigned to the API. */
  readonly host: string;
  /** The base URL for all paths of the contract, without a slash at the end. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const accessLog = new LogGroup(this, "AccessLog", {
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.restApi = new RestApi(this, "RestApi", {
      restApiName: props.serviceName,
      description: "Gleaner: scrapers and runs",
      endpointTypes: [EndpointType.REGIONAL],
      // Handlers get the bytes of a body, so that they can detect invalid UTF-8.
      binaryMediaTypes: ["*/*"],
      cloudWatchRole: props.logRole,
      ...(props.logRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.DESTROY }),
      deployOptions: {
        stageName: STAGE,
        throttlingRateLimit: props.requestsPerSecond,
        throttlingBurstLimit: props.requestBurst,
        tracingEnabled: true,
        // Execution logs contain parts of requests, which may include keys.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
      },
    });
    this.#addRoutes(props.functions);
    setGatewayResponses(this.restApi);
    if (props.firewall)
      new ApiFirewall(this, "Firewall", { stageArn: this.restApi.deploymentStage.stageArn });
    const domain = props.domain && new ApiDomain(this, "Domain", this.restApi, STAGE, props.domain);
    const { region, urlSuffix } = Stack.of(this);
    this.host = `${this.restApi.restApiId}.execute-api.${region}.${urlSuffix}`;
    this.baseUrl = `https://${domain?.name ?? this.host}`;
    // CDK's default output is removed, because its URL contains the stage and so is not the base URL.
    this.restApi.node.tryRemoveChild("Endpoint");
    this.#acknowledge(props);
  }

  #addRoutes(functions: Record<HandlerName, IFunction>): void {
    const integrationOf = (name: HandlerName) =>
      new LambdaIntegration(functions[name], {
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: API_TIMEOUT,
        allowTestInvoke: false,
        // A stack has at most 500 resources, so a function has one permission for all of its methods.
        scopePermissionToMethod: false,
      });
    for (const [name, { method, path }] of Object.entries(routes)) {
      const resource = this.#resourceFor(path);
      const integration = integrationOf(name as RouteName);
      resource.addMethod(method, integration);
      if (method === "GET") resource.addMethod("HEAD", integration);
    }
    // Without these, API Gateway responds with 403 and, for a request with an API key, with a message that quotes the key.
    const unknown = integrationOf("unknownRoute");
    const known = this.restApi.methods.map(({ resource }) => resource);
    for (const resource of new Set([this.restApi.root, ...known])) resource.addMethod("ANY", unknown);
    this.restApi.root.addResource("{unknown+}").addMethod("ANY", unknown);
  }

  #resourceFor(path: string): Resource {
    if (!path.startsWith(`/${STAGE}/`)) throw new Error(`The route ${path} is not below /${STAGE}.`);
    return this.restApi.root.resourceForPath(path.slice(STAGE.length + 1));
  }

  #acknowledge({ logRole, firewall }: ApiProps): void {
    const because = (id: string, reason: string) =>
      Validations.of(this.restApi).acknowledge({ id: `AwsSolutions-${id}`, reason });
    because(
      "APIG2",
      "The handlers validate all of a request by the contract's schemas, with every problem listed.",
    );
    because("APIG4", "Every handler authenticates by the account's API key before it does anything else.");
    because("COG4", "Clients authenticate by API keys, not as Cognito's users.");
    because("APIG6", "Execution logs may hold keys; access logs and the handlers' logs hold what is needed.");
    if (!firewall)
      because("APIG3", "A firewall costs money when nothing happens; the setting `firewall` adds one.");
    if (logRole) {
      because(
        "IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
        "API Gateway takes no narrower role: it has one for all APIs of an account and region.",
      );
    }
  }
}

/**
 * The fields of the access log. Headers, queries and error messages are left out, because they may contain keys: some
 * error messages of API Gateway quote the Authorization header.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTime(),
    ip: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextPath(),
    route: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    errorType: AccessLogField.contextErrorResponseType(),
    responseLength: AccessLogField.contextResponseLength(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
  }),
);
