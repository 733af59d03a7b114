import { HOOKS_MAX } from "../../contract/hooks/hook.ts";
import { hookJson } from "../../hooks/hook-json.ts";
import { createHook as create } from "../../store/hooks/hooks.ts";
import { getScraper } from "../../store/scrapers.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";
import { readHookRequest } from "./read-hook-request.ts";

export const createHook: ApiHandler<"createHook"> = async ({ account, body }, deps) => {
  const { table, now, allowHosts, sendsMail } = deps;
  const { scraper_id = null, ...rest } = readHookRequest(body, {
    allowHosts: allowHosts(),
    sendsMail: sendsMail?.() ?? false,
  });
  if (scraper_id !== null && (await getScraper(table, account, scraper_id)) === undefined)
    throw notFound("scraper");
  const result = await create(table, account, { ...rest, scraper_id }, now());
  switch (result.outcome) {
    case "created":
      return { json: hookJson(result.hook), headers: { location: `/v1/hooks/${result.hook.id}` } };
    case "exists":
      throw new HttpError(
        409,
        `The hook ${result.id} has the same address, format and scraper. Delete it first, or keep it.`,
      );
    case "too_many":
      throw new HttpError(409, `An account has at most ${HOOKS_MAX} hooks. Delete one first.`);
  }
};
