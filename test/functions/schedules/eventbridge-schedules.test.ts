import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
} from "@aws-sdk/client-scheduler";
import { beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { eventBridgeSchedules } from "../../../functions/schedules/eventbridge-schedules.ts";
import { loggedSchedules } from "../../../functions/schedules/logged-schedules.ts";

const client = new SchedulerClient({ region: "eu-central-1" });
const aws = mockClient(client);
beforeEach(() => void aws.reset());

const notFound = new ResourceNotFoundException({
  message: "Schedule does not exist.",
  $metadata: {},
} as never);
const conflict = new ConflictException({ message: "Schedule already exists.", $metadata: {} } as never);

const target = {
  group: "gleaner-schedules",
  targetArn: "arn:aws:lambda:eu-central-1:111122223333:function:start",
  roleArn: "arn:aws:iam::111122223333:role/schedules",
  deadLetterArn: "arn:aws:sqs:eu-central-1:111122223333:dead",
};
const now = () => new Date("2026-11-21T08:00:00.000Z");
const schedules = eventBridgeSchedules(client, target, now);
const occurrence = {
  account: "acme",
  scraper_id: "0199a3f0-5c10-7c3e-9d1b-4a0000000001",
  scheduled_at: "2026-11-22T07:00:00.000Z",
};

test("an occurrence is one time of the scraper's one schedule", async () => {
  aws.on(UpdateScheduleCommand).resolves({});
  await schedules.put(occurrence);
  expect(aws.calls().map(({ args }) => args[0].input)).toEqual([
    {
      GroupName: "gleaner-schedules",
      Name: occurrence.scraper_id,
      ScheduleExpression: "at(2026-11-22T07:00:00)",
      ScheduleExpressionTimezone: "UTC",
      FlexibleTimeWindow: { Mode: "OFF" },
      ActionAfterCompletion: "NONE",
      Target: {
        Arn: target.targetArn,
        RoleArn: target.roleArn,
        Input: JSON.stringify(occurrence),
        DeadLetterConfig: { Arn: target.deadLetterArn },
      },
    },
  ]);
});

test("the first occurrence makes the schedule", async () => {
  aws.on(UpdateScheduleCommand).rejects(notFound).on(CreateScheduleCommand).resolves({});
  await schedules.put(occurrence);
  expect(aws.commandCalls(CreateScheduleCommand)[0]?.args[0].input).toMatchObject({
    Name: occurrence.scraper_id,
    ScheduleExpression: "at(2026-11-22T07:00:00)",
  });
});

test("two that make it at the same time both succeed", async () => {
  aws.on(UpdateScheduleCommand).rejectsOnce(notFound).resolves({});
  aws.on(CreateScheduleCommand).rejects(conflict);
  await schedules.put(occurrence);
  expect(aws.commandCalls(UpdateScheduleCommand)).toHaveLength(2);
});

test.each([
  ["is never earlier than the occurrence", "2026-11-21T09:00:00.001Z", "at(2026-11-21T09:00:01)"],
  ["is a little ahead where the occurrence is not", "2026-11-21T07:59:00.000Z", "at(2026-11-21T08:00:05)"],
])("the time %s", async (_what, scheduled_at, expression) => {
  aws.on(UpdateScheduleCommand).resolves({});
  await schedules.put({ ...occurrence, scheduled_at });
  const input = aws.commandCalls(UpdateScheduleCommand)[0]?.args[0].input;
  expect(input?.ScheduleExpression).toBe(expression);
  expect(JSON.parse(input?.Target?.Input ?? "")).toMatchObject({ scheduled_at });
});

test("another problem is not hidden", async () => {
  aws.on(UpdateScheduleCommand).rejects(new Error("Rate exceeded"));
  await expect(schedules.put(occurrence)).rejects.toThrow("Rate exceeded");
});

test("a schedule that is not there can be removed", async () => {
  aws.on(DeleteScheduleCommand).rejects(notFound);
  await schedules.remove("acme", occurrence.scraper_id);
  expect(aws.commandCalls(DeleteScheduleCommand)[0]?.args[0].input).toEqual({
    GroupName: "gleaner-schedules",
    Name: occurrence.scraper_id,
  });
});

test("a failure is logged where the occurrence is stored already", async () => {
  aws
    .on(UpdateScheduleCommand)
    .rejects(new Error("down"))
    .on(DeleteScheduleCommand)
    .rejects(new Error("down"));
  const logged: string[] = [];
  const log = {
    info() {},
    error: (_message: string, { scraperId }: { scraperId?: unknown } = {}) =>
      void logged.push(String(scraperId)),
  };
  const tolerant = loggedSchedules(schedules, log);
  await tolerant.put(occurrence);
  await tolerant.remove("acme", occurrence.scraper_id);
  expect(logged).toEqual([occurrence.scraper_id, occurrence.scraper_id]);
  await expect(schedules.put(occurrence)).rejects.toThrow("down");
});
