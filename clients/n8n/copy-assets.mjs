// Copies what n8n expects beside the compiled nodes.
import { cpSync } from "node:fs";

for (const folder of ["credentials", "icons", "nodes"]) {
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (source) => !source.endsWith(".ts"),
  });
}
