/**
 * Where a run resumes: plain JSON that only the engine reads. `url` is the address of the page to resume at, where
 * the address alone leads there.
 */
export type Checkpoint = Record<string, unknown> & { url?: string };

/** A checkpoint as stored: with the version of its format. */
export interface VersionedCheckpoint {
  version: number;
  checkpoint: Checkpoint;
}

/**
 * The version of the format that this code reads and writes. A change of the format that this code would read wrongly
 * needs the next number, and a migration from the one before.
 */
export const CHECKPOINT_VERSION = 1;

/** Makes a checkpoint of the next version from one of this version. */
export type Migrations = Record<number, (checkpoint: Checkpoint) => Checkpoint>;
const migrations: Migrations = {};

/** The checkpoint was stored by a newer version of the service, or by an unknown one: this one can't resume there. */
export class UnknownCheckpoint extends Error {
  override readonly name = "UnknownCheckpoint";
}

/**
 * The checkpoint in the format of this version. To restart instead would store rows twice.
 * @throws UnknownCheckpoint
 */
export function readCheckpoint(
  stored: VersionedCheckpoint,
  { version, steps }: { version: number; steps: Migrations } = {
    version: CHECKPOINT_VERSION,
    steps: migrations,
  },
): Checkpoint {
  let { checkpoint } = stored;
  for (let at = stored.version; at !== version; at += 1) {
    const migrate = at < version ? steps[at] : undefined;
    if (migrate === undefined) {
      throw new UnknownCheckpoint(
        `This version of the service can't read checkpoints of version ${stored.version}.`,
      );
    }
    checkpoint = migrate(checkpoint);
  }
  return checkpoint;
}
