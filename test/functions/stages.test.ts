import { expect, test } from "@jest/globals";
import { during, type Stage, StageTimes } from "../../functions/stages.ts";

test("times are added up by stage, in the order of a run, and passed on", () => {
  const passed: [Stage, number][] = [];
  const times = new StageTimes((stage, ms) => passed.push([stage, ms]));
  times.add?.("first_byte", 20.4);
  times.add?.("claim", 3);
  times.add?.("first_byte", 30.3);
  expect(times.ms).toEqual({ claim: 3, first_byte: 51 });
  expect(times.text).toBe("claim 3 ms, first byte 51 ms (2 times)");
  expect(passed).toEqual([
    ["first_byte", 20.4],
    ["claim", 3],
    ["first_byte", 30.3],
  ]);
});

test("nothing is measured for nobody", async () => {
  const times = new StageTimes(undefined);
  expect(times.add).toBeUndefined();
  expect(times.ms).toBeUndefined();
  expect(times.text).toBeUndefined();
  expect(await during(undefined, "read", async () => "rows")).toBe("rows");
});

test("a stage that fails has its time, too", async () => {
  const stages: Stage[] = [];
  const work = during(
    (stage) => stages.push(stage),
    "webhook",
    () => Promise.reject(new Error("refused")),
  );
  await expect(work).rejects.toThrow("refused");
  expect(stages).toEqual(["webhook"]);
});
