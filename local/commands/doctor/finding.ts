import { describeProblem } from "../../describe-problem.ts";

/** The result of a check, and optionally what to do. A `note` is about something that not every user needs. */
export interface Finding {
  state: "ok" | "note" | "warning" | "problem";
  message: string;
  advice?: string;
}

export type Check = () => Finding | Promise<Finding>;

/** Runs a check. If it throws, the finding is a problem. */
export async function oneOf(check: Check): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return { state: "problem", message: describeProblem(error) };
  }
}
