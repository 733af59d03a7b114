import { Readable } from "node:stream";
import { getEvidence } from "../store/evidence.ts";
import { getRun } from "../store/runs.ts";
import { HttpError, notFound } from "./http-error.ts";
import type { ApiHandler } from "./types.ts";

export const getRunScreenshot: ApiHandler<"getRunScreenshot"> = async ({ account, id }, { table }) => {
  const ref = { account, id };
  if ((await getRun(table, ref)) === undefined) throw notFound("run");
  const screenshot = (await getEvidence(table, ref))?.screenshot;
  if (screenshot === undefined)
    throw new HttpError(404, "The run has no screenshot. Only runs that failed on a page have one.");
  return { content: Readable.from([screenshot]), headers: { "content-type": "image/jpeg" } };
};
