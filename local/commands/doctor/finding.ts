import { describeProblem } from "../../describe-problem.ts";

/** What a check has found, and what to do about it. A note is about something that not everyone needs. */
export interface Finding {
  state: "ok" | "note" | "warning" | "problem";
  message: string;
  advice?: string;
}

export type Check = () => Finding | Promise<Finding>;

/** The finding of a check, also of one that fails. */
export async function oneOf(check: Check): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return { state: "problem", message: describeProblem(error) };
  }
}
