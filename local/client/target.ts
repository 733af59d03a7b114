import { resolve } from "node:path";
import { CommandError, EXIT, wrongUse } from "../command-error.ts";
import { DataFolder } from "../data/data-folder.ts";
import { defaultData } from "../data/default-data.ts";
import { DEFAULT_PROFILE, type Profile, readProfiles } from "./profiles.ts";

/** The options that select the service. At most one of them may be set. */
export interface Where {
  url?: string;
  profile?: string;
  data?: string;
}

/** Whether commands in this folder use the data folder without naming it. */
export const isDefaultData = (data: string): boolean => resolve(data) === resolve(defaultData());

/** The command that the user can run on the same service, without `npx`. @param usage such as `account list` */
export function commandOn(
  { data, stack }: { data: string; stack?: string | undefined },
  usage: string,
): string {
  if (stack !== undefined) return `gleaner ${usage} --stack ${stack}`;
  return isDefaultData(data) ? `gleaner ${usage}` : `gleaner ${usage} --data ${data}`;
}

/** A service and the API key for it. */
export interface Target {
  /** Base URL without a path. */
  url: string;
  key: string;
  /** Where the service was found, such as "--url" or "data folder .gleaner", for messages. */
  from: string;
}

/**
 * Finds the service: the one that the options name, or else that of GLEANER_URL, of the default profile, or of the
 * default data folder.
 * @throws CommandError if there is no such service, or no key for it
 */
export async function findTarget(where: Where): Promise<Target> {
  const given = [where.url, where.profile, where.data].filter((option) => option !== undefined);
  if (given.length > 1) throw wrongUse("Use only one of --url, --profile and --data: each names a service.");
  if (where.url !== undefined) return atUrl(where.url, "--url");
  if (where.profile !== undefined) return ofProfile(where.profile);
  if (where.data !== undefined) return ofDataFolder(where.data);
  const { GLEANER_URL } = process.env;
  if (GLEANER_URL) return atUrl(GLEANER_URL, "GLEANER_URL");
  const { [DEFAULT_PROFILE]: profile } = await readProfiles();
  if (profile === undefined) return ofDataFolder(defaultData());
  const target = fromProfile(DEFAULT_PROFILE, profile);
  return { ...target, key: process.env.GLEANER_KEY || target.key };
}

async function atUrl(text: string, from: string): Promise<Target> {
  const url = baseUrl(text);
  const key =
    process.env.GLEANER_KEY ||
    Object.values(await readProfiles()).find((profile) => profile.url === url)?.api_key;
  if (key !== undefined) return { url, key, from };
  throw new CommandError(
    EXIT.notSignedIn,
    `There is no key for ${url}. Set GLEANER_KEY to an API key, or run \`npx gleaner login --url ${url}\`.`,
  );
}

async function ofProfile(name: string): Promise<Target> {
  const profiles = await readProfiles();
  const profile = profiles[name];
  // A user who names a profile wants its account, so its key has priority over GLEANER_KEY.
  if (profile !== undefined) return fromProfile(name, profile);
  const known = Object.keys(profiles);
  throw new CommandError(
    EXIT.notSignedIn,
    `There is no profile "${name}"${known.length > 0 ? `, only ${known.join(", ")}` : ""}. Create it with \`npx gleaner login --profile ${name}\`.`,
  );
}

const fromProfile = (name: string, { url, api_key }: Profile): Target => ({
  url,
  key: api_key,
  from: `profile "${name}"`,
});

async function ofDataFolder(data: string): Promise<Target> {
  const folder = new DataFolder(data);
  // If the service was killed, its file is still there, and another program may use its port now.
  const service = folder.isInUse() ? await folder.readService() : undefined;
  if (service === undefined) throw noService(folder, "--data, --url or `npx gleaner login`");
  const key = process.env.GLEANER_KEY || (await folder.readCredentials())?.api_key;
  const from = `data folder ${folder.path}`;
  if (key !== undefined) return { url: reachable(service.url), key, from };
  throw new CommandError(
    EXIT.notSignedIn,
    `The data folder ${folder.path} has no credentials.json. Set GLEANER_KEY to an API key: \`npx ${commandOn({ data: folder.path }, "key create --account default")}\` makes one.`,
  );
}

/** @param others how the user can name another service */
export const noService = (folder: DataFolder, others: string) =>
  new CommandError(
    EXIT.notReached,
    `No service is running on the data folder ${folder.path}. Start it with \`npx ${commandOn({ data: folder.path }, "start")}\`, or name another service with ${others}.`,
  );

/** Replaces the "all addresses" host by loopback, because some systems can't connect to it. */
export const reachable = (url: string) =>
  url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");

/**
 * The base URL of an API. `text` may also be the address of one of its endpoints.
 * @throws CommandError if it is no http(s) address
 */
export function baseUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw wrongUse(
      `"${text}" is not a valid base URL. Write it as https://gleaner.example.com, without a key in it.`,
    );
  }
  return url.origin + url.pathname.replace(/\/v1(\/.*)?$/, "").replace(/\/+$/, "");
}
