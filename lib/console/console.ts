import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  type HeadersReferrerPolicy,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { ASSETS } from "../../console/build/files.ts";
import { SECURITY_HEADERS } from "../../console/build/headers.ts";
import { INSPECTION_TIMEOUT } from "../inspector.ts";
import { PAGE_FUNCTION } from "./page-function.ts";
import { ConsolePublisher, type ConsolePublisherProps } from "./publisher.ts";

export interface ConsoleProps extends Omit<ConsolePublisherProps, "bucket"> {
  /** The host name that API Gateway assigned to the API. */
  apiHost: string;
}

/**
 * How long CloudFront waits for a response. An inspection takes longest to respond. The maximum without a quota
 * increase is two minutes.
 */
const API_READ_TIMEOUT = INSPECTION_TIMEOUT.plus(Duration.seconds(30));

/**
 * Error statuses that CloudFront caches for ten seconds by default. It would send such a response to all requests for
 * the same URL, whatever API key they have, so caching is disabled for them.
 */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504];

/**
 * Serves the console and the API under one host name: a CloudFront distribution, and a bucket with the console's files.
 */
export class Console extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { apiHost, ...props }: ConsoleProps) {
    super(scope, id);
    // Names in CloudFront must be unique in the account, across all regions.
    const name = `${props.serviceName}-${Stack.of(this).region}`;
    const bucket = this.#bucket();
    const originAccessControl = new S3OriginAccessControl(this, "Access", { originAccessControlName: name });
    const distribution = new Distribution(this, "Distribution", {
      comment: `${props.serviceName}: console`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      // The types of CDK don't support exactOptionalPropertyTypes.
      ...this.#fileBehaviors(
        S3BucketOrigin.withOriginAccessControl(bucket as IBucket, { originAccessControl }),
        this.#headers(name),
      ),
      errorResponses: CACHED_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    // The stage of the API is named like the version (v1), so the distribution and the API have the same paths.
    distribution.addBehavior("/v1/*", new HttpOrigin(apiHost, { readTimeout: API_READ_TIMEOUT }), {
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // This also prevents CloudFront from answering simultaneous requests with different keys by one response.
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      // The API itself compresses its responses while it streams them.
      compress: false,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    });
    new ConsolePublisher(this, "Publisher", { ...props, bucket });
    this.url = `https://${distribution.distributionDomainName}`;
    acknowledge(bucket, distribution);
  }

  #bucket(): Bucket {
    return new Bucket(this, "Bucket", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  /** The behaviors for the console's files. The files' own cache-control headers determine how long they are cached. */
  #fileBehaviors(origin: IOrigin, responseHeadersPolicy: ResponseHeadersPolicy) {
    const files: BehaviorOptions = {
      origin,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy,
      compress: true,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    };
    const pages = new EdgeFunction(this, "Pages", {
      comment: "Which file an address of the console has",
      code: FunctionCode.fromInline(PAGE_FUNCTION),
      runtime: FunctionRuntime.JS_2_0,
    });
    return {
      defaultBehavior: {
        ...files,
        functionAssociations: [{ function: pages, eventType: FunctionEventType.VIEWER_REQUEST }],
      },
      additionalBehaviors: { [`/${ASSETS}/*`]: files },
    };
  }

  /**
   * The response headers of the files. CloudFront rejects some of them as custom headers, because it has settings for
   * them.
   */
  #headers(responseHeadersPolicyName: string): ResponseHeadersPolicy {
    const {
      "content-security-policy": contentSecurityPolicy,
      "x-content-type-options": _,
      "referrer-policy": referrerPolicy,
      ...others
    } = SECURITY_HEADERS;
    const override = true;
    return new ResponseHeadersPolicy(this, "Headers", {
      responseHeadersPolicyName,
      comment: "What the browser may do with the console",
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override },
        contentTypeOptions: { override },
        referrerPolicy: { referrerPolicy: referrerPolicy as HeadersReferrerPolicy, override },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override },
      },
      customHeadersBehavior: {
        customHeaders: Object.entries(others).map(([header, value]) => ({ header, value, override })),
      },
    });
  }
}

function acknowledge(bucket: Bucket, distribution: Distribution): void {
  const because = (construct: Construct, id: string, reason: string) =>
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${id}`, reason });
  because(bucket, "S1", "CloudFront alone reads the files, which are the same for everyone.");
  because(distribution, "CFR1", "The API, where the data is, can be called from everywhere too.");
  because(distribution, "CFR2", "The files are public; the setting `firewall` protects the API behind them.");
  because(distribution, "CFR3", "The API has an access log, and the files are the same for everyone.");
  because(distribution, "CFR4", "The certificate of CloudFront's own name sets the TLS version.");
}
