import { Missing } from "./tools.ts";

let failures = 0;

/** Whether a part has failed, or could not run. */
export const hasFailed = (): boolean => failures > 0;

/** Runs one part, and prints how it went. Returns undefined if it failed, or could not run. */
export async function part<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  const started = performance.now();
  const print = (outcome: string) =>
    console.log(`${outcome.padEnd(8)} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  try {
    const result = await work();
    print("ok");
    return result;
  } catch (error) {
    failures += 1;
    print("FAILED");
    console.log(reasonOf(error));
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Missing) return `         It could not run: ${error.message}`;
  const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
  return [error instanceof Error ? error.stack : error, stdout.slice(-3_000), stderr.slice(-3_000)].join(
    "\n",
  );
}
