import { afterAll } from "@jest/globals";
import { startSite } from "../../site/site.ts";
import { type EngineOptions, startEngine } from "./harness.ts";

/** An engine and the site that it may reach, for all tests of a file. */
export async function startEngineAndSite(options?: EngineOptions) {
  const site = await startSite();
  const engine = await startEngine([site.host], options);
  afterAll(async () => {
    await engine.close();
    await site.close();
  });
  return { engine, site };
}
