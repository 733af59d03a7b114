import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder of its own, which goes with the temporary folder of the run of the tests. */
export const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "gleaner-"));
