import { describe, expect, test } from "@jest/globals";
import { App } from "aws-cdk-lib";
import { readConfig } from "../../lib/config.ts";

const read = (context: object) => readConfig(new App({ context: { ...context } }).node);

describe("settings", () => {
  test("none are needed", () => {
    expect(read({})).toEqual({
      stage: "prod",
      retention: { logDays: 30, runDays: null, table: "retain" },
      limits: {
        requestsPerSecond: 100,
        requestBurst: 200,
        concurrentRuns: 2,
        concurrentInspections: null,
        concurrentWebhooks: 2,
        executorMemory: 2048,
      },
      console: false,
      canary: false,
      trace: false,
      firewall: false,
      allowHosts: [],
      apiGatewayLogRole: true,
    });
  });

  test("those of a stage win over those for all", () => {
    const context = {
      stage: "dev",
      gleaner: { alarmEmail: "ops@example.com", retention: { logDays: 90 } },
      "gleaner:dev": { retention: { logDays: 1, table: "delete" } },
      "gleaner:prod": { firewall: true },
    };
    expect(read(context)).toMatchObject({
      stage: "dev",
      alarmEmail: "ops@example.com",
      retention: { logDays: 1, table: "delete" },
      firewall: false,
    });
  });

  test("all that is wrong is told at once", () => {
    const wrong = { gleaner: { limits: { concurrentRuns: 1 }, alarmEmail: "nobody", colour: "red" } };
    expect(() => read(wrong)).toThrow(/limits\.concurrentRuns/);
    expect(() => read(wrong)).toThrow(/alarmEmail/);
    expect(() => read(wrong)).toThrow(/colour/);
    expect(() => read({ gleaner: { table: { existing: "not a table" } } })).toThrow(
      /table\.existing: must be/,
    );
    expect(() => read({ stage: "Not a name" })).toThrow(/stage: must be/);
  });
});
