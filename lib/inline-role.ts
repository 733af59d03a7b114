import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  type RoleProps,
} from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";

/**
 * A role that holds its statements itself. CDK's own roles put them into a resource for each role, and a stack has at most
 * 500 resources.
 */
export class InlineRole extends Role {
  readonly #policy: PolicyDocument;

  constructor(scope: Construct, id: string, props: RoleProps) {
    const policy = new PolicyDocument();
    super(scope, id, { ...props, inlinePolicies: { Own: policy } });
    this.#policy = policy;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#policy.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
