/**
 * The place from which a run resumes, as plain JSON. Only the engine knows its fields. `url` is the address of the
 * page, if opening the address is enough to get there.
 */
export type Checkpoint = Record<string, unknown> & { url?: string };

/** A stored checkpoint, with the version of its format. */
export interface VersionedCheckpoint {
  version: number;
  checkpoint: Checkpoint;
}

/**
 * The version of the format that this code reads and writes. If you change the format so that older code or older
 * checkpoints are read wrongly, add 1 to the version, and add a migration from the previous version.
 */
export const CHECKPOINT_VERSION = 1;

/** For each version, a function that turns its checkpoints into those of the next version. */
export type Migrations = Record<number, (checkpoint: Checkpoint) => Checkpoint>;
const migrations: Migrations = {};

/** The stored checkpoint has a version that this code can't read, for example of a newer service. */
export class UnknownCheckpoint extends Error {
  override readonly name = "UnknownCheckpoint";
}

/**
 * Reads a stored checkpoint, and migrates it to the current version.
 * @throws UnknownCheckpoint if that is not possible. The run must not restart then, because it would store rows twice.
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
