import { chmod, mkdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DEFAULT_PROFILE, readProfiles } from "../../client/profiles.ts";
import { baseUrl, type Where } from "../../client/target.ts";
import { CommandError, EXIT, wrongUse } from "../../command-error.ts";
import { UsageError } from "../../data/data-folder.ts";
import { defaultData } from "../../data/default-data.ts";
import { confirm } from "../../terminal/confirm.ts";
import { note, print, printJson } from "../../terminal/print.ts";
import { type Client, type ClientName, clientNamed } from "./clients.ts";

const SERVER = "gleaner";

interface Options extends Where {
  yes?: boolean;
  json?: boolean;
}

type Json = Record<string, unknown>;

/**
 * Adds Gleaner to the MCP servers of a client. The client's file gets no API key: the server finds the key in a profile
 * or in the data folder.
 */
export async function install(name: ClientName, { yes, json, ...where }: Options): Promise<void> {
  const client = clientNamed(name);
  // npx starts a link. The client must start the file that the link points to.
  const program = await realpath(process.argv[1] ?? "");
  const server = {
    type: "stdio",
    command: process.execPath,
    args: [program, "mcp", "serve", ...(await placeOf(where))],
  };
  const file = await readSettings(client);
  const servers = serversOf(file.settings, client);
  const isThere = isDeepStrictEqual(servers[SERVER], server);
  if (!isThere) {
    const settings = { ...file.settings, [client.field]: { ...servers, [SERVER]: server } };
    if (!json) {
      print(`The file of ${client.title}, ${client.path}, gets this server:\n`);
      print(JSON.stringify({ [client.field]: { [SERVER]: server } }, null, 2));
    }
    if (servers[SERVER] !== undefined) note(`It replaces the server "${SERVER}" that is there.`);
    await confirm(`Write it to ${client.path}?`, yes);
    await writeSettings(client.path, settings, file.mode);
  }
  if (json) return printJson({ client: name, path: client.path, server, written: !isThere });
  if (isThere) return print(`${client.path} has this server already. Nothing was changed.`);
  print(`\nWritten. Restart ${client.title}, and ask it to inspect a page with Gleaner.`);
}

/** The options with which the server finds its service, whatever its working directory is. */
async function placeOf({ url, profile, data }: Where): Promise<string[]> {
  if ([url, profile, data].filter((option) => option !== undefined).length > 1)
    throw wrongUse("Use only one of --url, --profile and --data: each names a service.");
  if (data !== undefined) return ["--data", resolve(data)];
  const profiles = await readProfiles();
  const address = url ?? (profile === undefined ? process.env.GLEANER_URL : undefined);
  if (address) {
    const base = baseUrl(address);
    if (Object.values(profiles).some((each) => each.url === base)) return ["--url", base];
    throw new CommandError(
      EXIT.notSignedIn,
      `No key is stored for ${base}. Store one with \`npx gleaner login --url ${base}\`: the server finds it there, so that the key is in no other file.`,
    );
  }
  const name = profile ?? DEFAULT_PROFILE;
  if (profiles[name] !== undefined) return ["--profile", name];
  if (profile === undefined) return ["--data", resolve(defaultData())];
  throw new CommandError(
    EXIT.notSignedIn,
    `There is no profile "${name}". Create it with \`npx gleaner login --profile ${name}\`.`,
  );
}

/** The settings of a client, and the mode of their file. @throws UsageError if the file is not a JSON object */
async function readSettings({ path, title }: Client): Promise<{ settings: Json; mode: number }> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (text === undefined) return { settings: {}, mode: 0o600 };
  const { mode } = await stat(path);
  if (text.trim() === "") return { settings: {}, mode };
  const settings = parse(text);
  if (isObject(settings)) return { settings, mode };
  throw new UsageError(
    `${path} is not a JSON object, or has comments, so it was not changed. Correct it, or add the server in ${title} by hand.`,
  );
}

function serversOf(settings: Json, { path, field }: Client): Json {
  const servers = settings[field] ?? {};
  if (isObject(servers)) return servers;
  throw new UsageError(
    `"${field}" in ${path} is not a JSON object, so the file was not changed. Correct it first.`,
  );
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

/** Replaces a file atomically. If the path is a link, replaces the file that it points to. */
async function writeSettings(path: string, settings: Json, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const real = await realpath(path).catch(() => path);
  const newPath = `${real}.gleaner-new`;
  await writeFile(newPath, `${JSON.stringify(settings, null, 2)}\n`, { mode });
  await chmod(newPath, mode);
  await rename(newPath, real);
}
