import { CfnOutput } from "aws-cdk-lib";
import {
  DomainName,
  EndpointType,
  type IRestApi,
  type RestApi,
  SecurityPolicy,
} from "aws-cdk-lib/aws-apigateway";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { ARecord, HostedZone, RecordTarget } from "aws-cdk-lib/aws-route53";
import { ApiGatewayDomain } from "aws-cdk-lib/aws-route53-targets";
import { Construct } from "constructs";

export interface ApiDomainProps {
  name: string;
  /** ARN of an ACM certificate in the region of the stack. */
  certificateArn: string;
  /** The Route 53 zone that gets a record for the name. Without it, an output contains the target for the name. */
  zone?: { id: string; name: string } | undefined;
}

/** A custom domain for the API. */
export class ApiDomain extends Construct {
  readonly name: string;

  constructor(scope: Construct, id: string, api: RestApi, stage: string, props: ApiDomainProps) {
    super(scope, id);
    this.name = props.name;
    const domain = new DomainName(this, "Name", {
      domainName: props.name,
      certificate: Certificate.fromCertificateArn(this, "Certificate", props.certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      basePath: stage,
      // The types of CDK don't support exactOptionalPropertyTypes.
      mapping: api as IRestApi,
    });
    if (props.zone === undefined) {
      new CfnOutput(this, "Target", {
        description: `The target of the CNAME record for ${props.name}`,
        value: domain.domainNameAliasDomainName,
      });
      return;
    }
    new ARecord(this, "Record", {
      zone: HostedZone.fromHostedZoneAttributes(this, "Zone", {
        hostedZoneId: props.zone.id,
        zoneName: props.zone.name,
      }),
      recordName: props.name,
      target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
    });
  }
}
