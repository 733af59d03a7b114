import { writeFile } from "node:fs/promises";
import { openApiDocument } from "../functions/openapi/document.ts";

/** Writes openapi.json from the contract. */
await writeFile(
  new URL("../openapi.json", import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
);
