import type { SessionState } from "../contract/sessions/session.ts";
import type { Scrape, SessionKeeper } from "../scraping/job.ts";
import type { SecretReader } from "../secrets/secret.ts";
import { getSession, lockSession, unlockSession } from "../store/sessions.ts";
import type { Table } from "../store/table.ts";
import { StateTooLarge, unseal } from "./seal.ts";
import { sessionKey } from "./session-key.ts";
import { boundTo, storeSession } from "./store-session.ts";

export interface SessionDeps {
  table: Table;
  readSecrets: SecretReader;
  now: () => Date;
}

/** How often a run that waits for the sign-in of another one looks for it. */
const LOOK_MS = 1_000;

/**
 * Keeps the session of a job in the table, encrypted with a key of the account.
 * @param owner identifies the run
 */
export const withSession = (scrape: Scrape, deps: SessionDeps, account: string, owner: string): Scrape =>
  async function* scrapeWithSession(job, context) {
    if (job.session === undefined) return yield* scrape(job, context);
    const { name } = job.session;
    const keeper = new TableKeeper(deps, { account, name, owner });
    try {
      return yield* scrape(job, { ...context, keeper });
    } finally {
      await unlockSession(deps.table, { account, name, owner });
    }
  };

class TableKeeper implements SessionKeeper {
  readonly #deps: SessionDeps;
  readonly #id: { account: string; name: string; owner: string };
  /** The version of the state that the run has. */
  #version = 0;

  constructor(deps: SessionDeps, id: { account: string; name: string; owner: string }) {
    this.#deps = deps;
    this.#id = id;
  }

  async load(): Promise<SessionState | undefined> {
    const { table } = this.#deps;
    const { account, name } = this.#id;
    const stored = await getSession(table, account, name);
    if (stored === undefined) return undefined;
    this.#version = stored.version;
    return unseal(Buffer.from(stored.sealed), await this.#key(), boundTo(account, name, stored.saved_at));
  }

  async begin(pause: (ms: number) => Promise<void>): Promise<SessionState | undefined> {
    const { table, now } = this.#deps;
    const { account, name } = this.#id;
    const before = this.#version;
    for (;;) {
      const isMine = await lockSession(table, { ...this.#id, now: now() });
      // Another run may have signed in since this one loaded the state.
      const stored = await getSession(table, account, name);
      if ((stored?.version ?? 0) > before) {
        if (isMine) await unlockSession(table, this.#id);
        return this.load();
      }
      if (isMine) return undefined;
      await pause(LOOK_MS);
    }
  }

  async save(state: SessionState, isNew: boolean): Promise<boolean> {
    const { account, name } = this.#id;
    const key = await this.#key();
    // Another run may have signed in meanwhile: its state is newer than that of a run that began before.
    const before = isNew ? "any" : this.#version;
    try {
      const { version } = await storeSession(this.#deps, { account, name, state, key, before });
      this.#version = version ?? this.#version;
      if (isNew) await unlockSession(this.#deps.table, this.#id);
      return true;
    } catch (error) {
      if (error instanceof StateTooLarge) return false;
      throw error;
    }
  }

  #key(): Promise<Buffer> {
    return sessionKey(this.#deps.readSecrets, this.#id.account);
  }
}
