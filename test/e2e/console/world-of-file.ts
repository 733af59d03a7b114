import { afterAll, afterEach } from "@jest/globals";
import { type ConsoleWorld, complaints, startConsoleWorld } from "./console-world.ts";

/** The service and a browser for all tests of a file. Each test has its own tabs and complaints. */
export async function worldOfFile(...options: Parameters<typeof startConsoleWorld>): Promise<ConsoleWorld> {
  const world = await startConsoleWorld(...options);
  afterAll(() => world.stop());
  afterEach(async () => {
    for (const context of world.browser.contexts()) await context.close();
    complaints.splice(0);
  });
  return world;
}
