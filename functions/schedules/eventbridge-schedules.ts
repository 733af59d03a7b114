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
  /** What is invoked with an occurrence, and the role that may do it. */
  targetArn: string;
  roleArn: string;
  /** The queue for what could not be delivered. */
  deadLetterArn: string;
}

/** Scheduler refuses times in the past, and the request takes a moment. */
const SOONEST_MS = 5_000;

/**
 * How long after its time an occurrence is left to EventBridge Scheduler, which is up to a minute late by design,
 * before a sweep deals with it.
 */
export const EVENTBRIDGE_LATE_MS = 120_000;

/**
 * One schedule for each scraper, named by its id: a one-time schedule for the next occurrence, moved on to the one
 * after it by whoever deals with that occurrence. `rate()` and `cron()` can't say what our schedules mean: the 31st or
 * the last day of a month, two weeks on the calendar of a time zone, a local time that the clocks leave out. The schedule stays when it is
 * done (ActionAfterCompletion NONE): removed by itself, it could take along the time that it was moved to meanwhile.
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
      // Somebody else has made it meanwhile.
      if ((await unless(ConflictException, create)) === undefined) await update();
    },
    async remove(_account, scraperId) {
      const remove = new DeleteScheduleCommand({ GroupName: group, Name: scraperId });
      await unless(ResourceNotFoundException, client.send(remove));
    },
  };
}

/** The time of an occurrence in whole seconds, as `at()` takes it: never earlier than it, nor in the past. */
function atTime(scheduledAt: string, now: Date): string {
  const time = Math.max(Date.parse(scheduledAt), now.getTime() + SOONEST_MS);
  return new Date(Math.ceil(time / 1000) * 1000).toISOString().slice(0, "2030-01-31T09:00:00".length);
}

/** What a request answers; undefined when it fails with an error of this class. */
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
