import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { configFolder } from "../data/config-folder.ts";
import { readJson, writeJson } from "../data/data-folder.ts";

/** A service and an API key for it, as `gleaner login` stores them. */
export interface Profile {
  url: string;
  api_key: string;
}

export const DEFAULT_PROFILE = "default";

/** The file with all profiles. Only its owner can read it. */
export const profilesPath = (): string => join(configFolder(), "profiles.json");

export const readProfiles = async (): Promise<Record<string, Profile>> =>
  (await readJson<Record<string, Profile>>(profilesPath())) ?? {};

export async function saveProfile(name: string, profile: Profile): Promise<void> {
  await write({ ...(await readProfiles()), [name]: profile });
}

/** Removes a profile. Returns false if there is no such profile. */
export async function removeProfile(name: string): Promise<boolean> {
  const { [name]: removed, ...others } = await readProfiles();
  if (removed === undefined) return false;
  await write(others);
  return true;
}

async function write(profiles: Record<string, Profile>): Promise<void> {
  await mkdir(dirname(profilesPath()), { recursive: true, mode: 0o700 });
  await writeJson(profilesPath(), profiles);
}
