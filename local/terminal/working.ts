import { duration } from "../commands/run/progress.ts";
import { StatusLine } from "./status-line.ts";

const TICK_MS = 200;

/** Shows a status line with `text` until `work` settles. On a terminal, it includes the elapsed time. */
export async function working<T>(text: string, work: Promise<T>): Promise<T> {
  const line = new StatusLine();
  const begun = Date.now();
  const show = () => line.show(`${text} …`, duration((Date.now() - begun) / 1000));
  show();
  const timer = setInterval(show, TICK_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    line.clear();
  }
}
