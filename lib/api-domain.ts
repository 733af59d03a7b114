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
  /** Of ACM, in the region of the stack. */
  certificateArn: string;
  /** The Route 53 zone that gets a record for the name; without it an output says what the name has to point to. */
  zone?: { id: string; name: string } | undefined;
}

/** A domain of one's own before the API, with the stage's paths as they are. */
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
      // CDK's own types aren't written for exactOptionalPropertyTypes.
      mapping: api as IRestApi,
    });
    if (props.zone === undefined) {
      new CfnOutput(this, "Target", {
        description: `What a CNAME record for ${props.name} has to point to`,
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
