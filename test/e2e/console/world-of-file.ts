import { afterAll, afterEach } from "@jest/globals";
import type { ServiceOptions } from "../../../local/service.ts";
import { joinWorld, startWorld } from "../harness.ts";
import { type ConsoleWorld, complaints, startConsoleWorld } from "./console-world.ts";

/**
 * The service and a browser for all tests of a file. Each test has its own tabs and complaints.
 * @param options of a service of its own; by default, the file joins the shared service
 */
export async function worldOfFile(options?: Partial<ServiceOptions>): Promise<ConsoleWorld> {
  const world = await startConsoleWorld(await (options === undefined ? joinWorld() : startWorld(options)));
  afterAll(() => world.stop());
  afterEach(async () => {
    for (const context of world.browser.contexts()) await context.close();
    complaints.splice(0);
  });
  return world;
}
