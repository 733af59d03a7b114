import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { createEmptyTestResult, type TestResult } from "@jest/test-result";
import type { Circus, Config } from "@jest/types";
import { addEventHandler, getState, removeEventHandler, resetState, run } from "jest-circus";
import { formatExecError, formatResultsErrors } from "jest-message-util";
import { printNotes } from "./failure-notes.ts";
import { expect, jest } from "./globals.ts";
import { uncaughtErrors } from "./uncaught-errors.ts";

/**
 * The folders whose modules keep state for as long as their process lasts: a Lambda function, or a page of the console.
 * Each file of tests begins with new ones.
 */
const STATEFUL = ["functions/lambda/", "console/"].map(
  (folder) => new URL(`../../${folder}`, import.meta.url).href,
);
let files = 0;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@jest/globals") {
      return { url: new URL("globals.ts", import.meta.url).href, shortCircuit: true };
    }
    const resolved = next(specifier, context);
    const isStateful =
      STATEFUL.some((folder) => resolved.url.startsWith(folder)) && !resolved.url.includes("?");
    return isStateful ? { ...resolved, url: `${resolved.url}?file=${files}` } : resolved;
  },
});

/**
 * Runs a file of tests (Jest's option `testRunner`). Jest's own runner loads every module again for each file, in a realm of
 * its own, where V8 begins to optimize it anew. This one imports the file as Node.js does: a worker loads most modules once.
 */
export default async function runTests(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  _environment: unknown,
  _runtime: unknown,
  testPath: string,
): Promise<TestResult> {
  files += 1;
  resetState();
  const state = getState();
  state.testTimeout = globalConfig.testTimeout ?? state.testTimeout;
  state.maxConcurrency = globalConfig.maxConcurrency;
  if (globalConfig.testNamePattern) state.testNamePattern = new RegExp(globalConfig.testNamePattern, "i");
  expect.setState({ testPath, expand: globalConfig.expand ?? false });
  const failureNotes: typeof globalThis.failureNotes = {
    notes: [],
    runningTest: () => expect.getState().currentTestIdentity?.(),
  };
  globalThis.failureNotes = failureNotes;
  const errors = uncaughtErrors();
  const onEvent = async (event: Circus.Event) => {
    if (event.name === "test_start") expect.setState({ currentTestName: namesOf(event.test).join(" ") });
    if (event.name === "test_done") await finish(event.test, failureNotes);
    if (event.name === "run_finish") state.unhandledErrors.push(...(await errors.take()));
  };
  addEventHandler(onEvent);
  try {
    await import(pathToFileURL(testPath).href);
    return toTestResult(await run(), globalConfig, config, testPath);
  } finally {
    removeEventHandler(onEvent);
    errors.stop();
    jest.useRealTimers();
    jest.restoreAllMocks();
  }
}

function namesOf({ name, parent }: Circus.TestEntry): string[] {
  const names = [name];
  for (let block: Circus.DescribeBlock | undefined = parent; block?.parent; block = block.parent) {
    names.unshift(block.name);
  }
  return names;
}

/** Adds the errors that `expect` has kept. */
async function finish(test: Circus.TestEntry, { notes }: NonNullable<typeof failureNotes>): Promise<void> {
  const { suppressedErrors } = expect.getState();
  expect.setState({ suppressedErrors: [] });
  const missing = expect.extractExpectedAssertionsErrors().map(({ error }) => error);
  test.errors.push(...suppressedErrors, ...missing);
  await printNotes(notes, test);
}

function toTestResult(
  { testResults, unhandledErrors, unhandledErrorsDetailed }: Circus.RunResult,
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  testFilePath: string,
): TestResult {
  const assertions = testResults.map(toAssertion);
  const count = (status: string) => assertions.filter((assertion) => assertion.status === status).length;
  const failures = formatResultsErrors(assertions, config, globalConfig, testFilePath) ?? "";
  const others = unhandledErrorsDetailed.map((error) => formatExecError(error, config, globalConfig));
  return {
    ...createEmptyTestResult(),
    testFilePath,
    failureMessage: [failures, ...others].join("\n").trim() || null,
    ...(unhandledErrors.length > 0 && { testExecError: { message: "", stack: unhandledErrors.join("\n") } }),
    numFailingTests: count("failed"),
    numPassingTests: count("passed"),
    numPendingTests: count("pending"),
    testResults: assertions,
  };
}

function toAssertion(result: Circus.RunResult["testResults"][number]): TestResult["testResults"][number] {
  const { status, errors, errorsDetailed, testPath, duration, invocations, numPassingAsserts } = result;
  // The first name is that of the file's own block.
  const names = testPath.slice(1).map(String);
  return {
    ...{ duration: duration ?? null, invocations, numPassingAsserts },
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1) ?? "",
    fullName: names.join(" "),
    status: status === "done" ? (errors.length > 0 ? "failed" : "passed") : "pending",
    failureMessages: errors,
    failureDetails: errorsDetailed,
  };
}
