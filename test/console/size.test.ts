import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { buildConsole, firstLoad } from "../../console/build/build.ts";
import { INDEX } from "../../console/build/files.ts";
import { CONTENT_SECURITY_POLICY, headersOf } from "../../console/build/headers.ts";

/** Bytes of compressed JavaScript: those of the home page, and those of all pages, which are loaded one by one. */
const FIRST_LOAD = 40_000;
const ALL = 120_000;

const { files, metafile } = await buildConsole();
const sizeOf = (paths: readonly string[]) =>
  paths.reduce((sum, path) => sum + gzipSync(files.get(path) ?? "").byteLength, 0);
const page = Buffer.from(files.get(INDEX) ?? "").toString();

describe("the console's files", () => {
  test("stay within the budget, for the first view and in all", () => {
    const home = Object.entries(metafile.outputs).flatMap(([path, { entryPoint, imports }]) =>
      entryPoint === "pages/home/home.tsx" ? [path, ...imports.map((one) => one.path)] : [],
    );
    const first = sizeOf([...new Set([...firstLoad(metafile), ...home])]);
    const all = sizeOf([...files.keys()].filter((path) => path.endsWith(".js")));
    console.info(`The console: ${first} bytes for the home page, ${all} bytes in all, compressed`);
    expect(first).toBeGreaterThan(10_000);
    expect(first).toBeLessThanOrEqual(FIRST_LOAD);
    expect(all).toBeLessThanOrEqual(ALL);
  });

  test("have names with a hash, and only the page is asked for again", () => {
    for (const path of files.keys()) {
      const cache = headersOf(path)["cache-control"];
      if (path === INDEX) expect(cache).toBe("no-cache");
      else {
        expect(path).toMatch(/^assets\/[\w-]+-[A-Z0-9]{8}\.(js|css|svg|md)$/);
        expect(cache).toBe("public, max-age=31536000, immutable");
      }
      expect(headersOf(path)["x-content-type-options"]).toBe("nosniff");
    }
  });

  test("contain nothing that the policy would have to allow", () => {
    expect(CONTENT_SECURITY_POLICY).not.toContain("unsafe");
    expect(page).not.toMatch(/<script(?! type="module" src="\/assets\/)|<style| style=| on\w+=/);
    const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "");
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(files.has(address.slice(1))).toBe(true);
    for (const [path, content] of files) {
      if (path.endsWith(".js")) {
        expect(Buffer.from(content).toString()).not.toMatch(/\beval\(|new Function|insertAdjacentHTML/);
      }
    }
  });
});
