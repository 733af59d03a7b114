import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PROJECT_FOLDER } from "../lib/project-folder.ts";
import { releaseNotes } from "../lib/release-notes.ts";
import packageJson from "../package.json" with { type: "json" };

/* Prints what CHANGELOG.md says of a release: node bin/release-notes.ts v0.1.0. The workflow `release` uses it. */

const changelog = await readFile(join(PROJECT_FOLDER, "CHANGELOG.md"), "utf8");
console.log(releaseNotes(changelog, process.argv[2] ?? "", packageJson.version));
