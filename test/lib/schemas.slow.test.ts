import { expect, test } from "@jest/globals";
import type { Stack } from "aws-cdk-lib";
import { CfnQueue } from "aws-cdk-lib/aws-sqs";
import { newStack, SETTINGS } from "./synth.ts";

test.each(Object.entries(SETTINGS))(
  "the stack passes CloudFormation's schemas where %s is set",
  (_, settings) => {
    newStack(settings, { checks: true });
  },
);

test("a property that does not exist does not pass", () => {
  const spoil = ({ node }: Stack) => {
    const queue = node.findAll().find((one) => one instanceof CfnQueue) as CfnQueue;
    queue.addPropertyOverride("VisibilityTimeoutt", 5);
  };
  expect(() => newStack({}, { checks: true, change: spoil })).toThrow(/validation/i);
});
