import { Readable } from "node:stream";
import { evidenceOf } from "../../store/runs/evidence.ts";
import { getRun } from "../../store/runs/runs.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const getRunScreenshot: ApiHandler<"getRunScreenshot"> = async ({ account, id }, { table }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  const screenshot = (await evidenceOf(table, run))?.screenshot;
  if (screenshot === undefined)
    throw new HttpError(404, "The run has no screenshot. Only runs that failed on a page have one.");
  return { content: Readable.from([screenshot]), headers: { "content-type": "image/jpeg" } };
};
