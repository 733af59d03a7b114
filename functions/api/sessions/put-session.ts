import { SessionName, SessionState } from "../../contract/sessions/session.ts";
import { validate } from "../../contract/validate.ts";
import { StateTooLarge } from "../../sessions/seal.ts";
import { storeSession } from "../../sessions/store-session.ts";
import { HttpError } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const putSession: ApiHandler<"putSession"> = async ({ account, id, body }, deps) => {
  const name = validate(SessionName, id);
  const state = validate(SessionState, body);
  const key = await deps.sessionKey(account);
  try {
    const { hosts, saved_at } = await storeSession(deps, { account, name, state, key, before: "any" });
    return { json: { name, hosts, saved_at } };
  } catch (error) {
    if (!(error instanceof StateTooLarge)) throw error;
    throw new HttpError(
      413,
      "The cookies and the local storage are too large to be kept. Leave out what the site needs not.",
    );
  }
};
