import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { createLocalEngine } from "../../local/engine.ts";

/** The packages that a program loads. */
async function loadedBy(code: string): Promise<string[]> {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const [, name] = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
        if (name) loaded.add(name);
        return next(url, context);
      },
    });
    ${code}
    console.log(JSON.stringify([...loaded]));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program],
    { cwd: join(import.meta.dirname, "../.."), env: { PATH: process.env.PATH } },
  );
  return JSON.parse(stdout);
}

test("the service starts without Playwright and the libraries for MCP, which take most of its memory", async () => {
  const loaded = await loadedBy(`await import("./local/commands/start.ts");`);
  expect(loaded).toContain("valibot");
  expect(loaded).not.toContain("playwright-core");
  expect(loaded).not.toContain("@modelcontextprotocol/server");
});

test("an engine that is closed before it is loaded starts no browser", async () => {
  const engine = createLocalEngine({ egress: { allowHosts: [] } });
  engine.warm();
  await engine.close();
  const job = { steps: [], pagination: { type: "none" }, rowsLimit: 1 } as const;
  const run = engine.scrape(job, { onPageLoad: () => {}, deadline: Date.now() + 60_000 });
  await expect(run.next()).rejects.toMatchObject({ code: "browser_failed" });
});
