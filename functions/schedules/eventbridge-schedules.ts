import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  ResourceNotFoundException,
  type SchedulerClient,
  UpdateScheduleCommand,
} from "@aws-sdk/client-scheduler";
import type { Occurrence, Schedules } from "./schedules.ts";

export interface EventBridgeTarget {
  /** Name of the schedule group. */
  group: string;
  /** The function that an occurrence invokes, and the role with permission to invoke it. */
  targetArn: string;
  roleArn: string;
  /** The queue for occurrences that could not be delivered. */
  deadLetterArn: string;
}

/** EventBridge Scheduler rejects times in the past, and the request takes a moment. */
const SOONEST_MS = 5_000;

/**
 * How late an occurrence is before a sweep handles it. EventBridge Scheduler itself may be up to a minute late.
 */
export const EVENTBRIDGE_LATE_MS = 120_000;

/**
 * One schedule per scraper, named by the scraper's id: a one-time schedule for the next occurrence. Handling an
 * occurrence moves the schedule to the next one. `rate()` and `cron()` can't express our schedules: the 31st or the last
 * day of a month, two weeks in a time zone's calendar, a local time that a clock change skips. A completed schedule is
 * not deleted (ActionAfterCompletion NONE), because the deletion could remove a new time that was set in the meantime.
 */
export function eventBridgeSchedules(
  client: SchedulerClient,
  { group, targetArn, roleArn, deadLetterArn }: EventBridgeTarget,
  now: () => Date,
): Schedules {
  const scheduleOf = (occurrence: Occurrence): CreateScheduleCommandInput => ({
    GroupName: group,
    Name: occurrence.scraper_id,
    ScheduleExpression: `at(${atTime(occurrence.scheduled_at, now())})`,
    ScheduleExpressionTimezone: "UTC",
    FlexibleTimeWindow: { Mode: "OFF" },
    ActionAfterCompletion: "NONE",
    Target: {
      Arn: targetArn,
      RoleArn: roleArn,
      Input: JSON.stringify(occurrence),
      DeadLetterConfig: { Arn: deadLetterArn },
    },
  });
  return {
    async put(occurrence) {
      const schedule = scheduleOf(occurrence);
      const update = () => client.send(new UpdateScheduleCommand(schedule));
      if ((await unless(ResourceNotFoundException, update())) !== undefined) return;
      const create = client.send(new CreateScheduleCommand(schedule));
      // Another process has created it in the meantime.
      if ((await unless(ConflictException, create)) === undefined) await update();
    },
    async remove(_account, scraperId) {
      const remove = new DeleteScheduleCommand({ GroupName: group, Name: scraperId });
      await unless(ResourceNotFoundException, client.send(remove));
    },
  };
}

/** The time of an occurrence for `at()`, in whole seconds: never earlier than the occurrence and never in the past. */
function atTime(scheduledAt: string, now: Date): string {
  const time = Math.max(Date.parse(scheduledAt), now.getTime() + SOONEST_MS);
  return new Date(Math.ceil(time / 1000) * 1000).toISOString().slice(0, "2030-01-31T09:00:00".length);
}

/** The result of a request; undefined if it fails with an error of this class. */
async function unless<T>(
  error: new (...args: never[]) => Error,
  request: Promise<T>,
): Promise<T | undefined> {
  try {
    return await request;
  } catch (problem) {
    if (problem instanceof error) return undefined;
    throw problem;
  }
}
