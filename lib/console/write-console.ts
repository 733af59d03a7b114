// Called while the publisher's function is bundled: `node write-console.ts <folder>` adds the console's files to the
// asset.
import { join } from "node:path";
import { writeConsole } from "../../console/build/write.ts";

const [output] = process.argv.slice(2);
if (output === undefined) throw new Error("Usage: node write-console.ts <folder>");
await writeConsole(join(output, "console"));
