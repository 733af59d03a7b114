import { deepStrictEqual } from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Deployed } from "./ministack.ts";
import { run } from "./tools.ts";
import { variants } from "./variants.ts";

/** Prints the entries of zip files that not everybody may read, as Lambda's user has to. */
const PRIVATE_ENTRIES = `
import sys, zipfile
for path in sys.argv[1:]:
    entries = zipfile.ZipFile(path).infolist()
    assert entries, path
    for entry in entries:
        mode = entry.external_attr >> 16
        if mode & 0o444 != 0o444 or (entry.filename.endswith("/chromium") and mode & 0o111 != 0o111):
            print(path, entry.filename, oct(mode))
`;

/** Checks the modes in the files that were uploaded for the functions. They were made with the umask 077. */
export async function checkModes(assembly: string): Promise<void> {
  const cache = join(assembly, ".cache");
  const zips = (await readdir(cache))
    .filter((name) => name.endsWith(".zip"))
    .map((name) => join(cache, name));
  const { stdout } = await run("python3", ["-c", PRIVATE_ENTRIES, ...zips]);
  if (zips.length === 0 || stdout !== "") throw new Error(`${zips.length} files, private: ${stdout}`);
  console.log(`         ${zips.length} files of functions`);
}

/** Checks that nothing was refused, and that the proxy does refuse. */
export async function checkPermissions({ permissions, names }: Deployed): Promise<void> {
  const { allowed, refused } = permissions.calls;
  console.log(`         ${allowed.size} different calls were allowed, and ${refused.size} refused`);
  deepStrictEqual([...refused], []);
  if (allowed.size < 15) throw new Error("The functions have made too few calls.");
  const nameOf = (start: string) => [...names].find(([id]) => id.startsWith(start))?.[1] ?? "";
  const authorization = `AWS4-HMAC-SHA256 Credential=${nameOf("ExecutorExecuteRun")}/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
  const { status } = await fetch(permissions.url, {
    method: "POST",
    headers: { authorization, "x-amz-target": "DynamoDB_20120810.GetItem" },
    body: JSON.stringify({ TableName: nameOf("StoreTable"), Key: { pk: { S: "KEY#another" } } }),
  });
  if (status !== 403) throw new Error(`The executor may read a key: ${status}`);
  allowed.clear();
  refused.clear();
}

/** Updates the stack to other settings, and checks that its resources have them. */
export async function checkChange(deployed: Deployed, executor: string): Promise<void> {
  await deployed.update("changed");
  const { MemorySize } = await deployed.configuration(executor);
  const { RUN_DAYS } = await deployed.variables(
    [...deployed.names.keys()].find((id) => /^CreateRun(?!Role|Log)/.test(id)) ?? "",
  );
  const { limits, retention } = variants.changed;
  deepStrictEqual([MemorySize, RUN_DAYS], [limits.executorMemory, String(retention.runDays)]);
}
