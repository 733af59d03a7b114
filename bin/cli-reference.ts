import { writeFileSync } from "node:fs";
import { cliReference } from "../local/cli/reference.ts";
import { program } from "../local/cli.ts";

/** Writes docs/cli.md. */
writeFileSync(new URL("../docs/cli.md", import.meta.url), cliReference(program()));
