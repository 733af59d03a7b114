import { ValidationError } from "../../../functions/contract/validate.ts";
import { readDefinition } from "../../../functions/scrapers/definition.ts";
import { connect } from "../../client/api.ts";
import type { Where } from "../../client/target.ts";
import { CommandError, EXIT } from "../../command-error.ts";
import { ImportError, importDefinition } from "../../imports/import-definition.ts";
import type { Imported } from "../../imports/imported.ts";
import { note } from "../../terminal/print.ts";
import { readDefinitionFile } from "./definition-file.ts";
import { confirmOutput, save, store } from "./keep.ts";

interface Options extends Where {
  output?: string;
  name?: string;
  yes?: boolean;
  json?: boolean;
}

/** Makes a scraper from the file of another tool, and tells what of it the scraper lacks. */
export async function importFile(path: string, options: Options): Promise<void> {
  const { output, name, yes, json, ...where } = options;
  const { json: content } = await readDefinitionFile(path);
  const { origin, leftOut, definition: imported } = read(path, content);
  const definition = { ...imported, ...(name !== undefined && { name }) };
  note(`${path} is ${origin}.`);
  for (const one of leftOut) note(`Not as there: ${one}`);
  assertValid(path, definition);
  if (output !== undefined) {
    await confirmOutput(output, yes);
    await save(definition, output, json);
  } else await store(await connect(where), definition, json);
}

function read(path: string, content: unknown): Imported {
  try {
    return importDefinition(content);
  } catch (cause) {
    if (!(cause instanceof ImportError)) throw cause;
    throw new CommandError(EXIT.failed, `Nothing was stored. ${path}: ${cause.message}`, { cause });
  }
}

function assertValid(path: string, definition: unknown): void {
  try {
    readDefinition(definition);
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause;
    throw new CommandError(
      EXIT.failed,
      `Nothing was stored. ${path} can't be expressed as a scraper: ${cause.message}`,
      { cause },
    );
  }
}
