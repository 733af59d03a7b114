import * as v from "valibot";
import { limitedList } from "../limited-list.ts";
import {
  ClickStep,
  HoverStep,
  PressKeyStep,
  ScrollStep,
  SelectDropdownStep,
  VisitStep,
  WaitStep,
  WriteInputStep,
} from "../steps/action-steps.ts";

const text = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(2000, "must be at most 2000 characters"),
);

export const SESSION_NAME = /^[A-Za-z0-9_-]{1,64}$/;
export const SessionName = v.pipe(
  v.string(),
  v.regex(SESSION_NAME, "must be 1 to 64 of A-Z, a-z, 0-9, _ and -"),
);

/** What only a signed-in visitor sees on the first page of the scraper. */
export const SessionCheck = v.pipe(
  v.strictObject({ selector: v.optional(text), text: v.optional(text) }),
  v.check(
    ({ selector, text }) => (selector === undefined) !== (text === undefined),
    "requires a selector or a text, and not both",
  ),
);

/** A step that signs in. It reads nothing. */
export const SignInStep = v.variant("type", [
  VisitStep,
  ClickStep,
  WriteInputStep,
  SelectDropdownStep,
  PressKeyStep,
  ScrollStep,
  HoverStep,
  WaitStep,
]);
export type SignInStep = v.InferOutput<typeof SignInStep>;

/** A sign-in that the runs of an account share: its cookies and local storage are kept from run to run. */
export const SessionSettings = v.strictObject({
  name: SessionName,
  check: SessionCheck,
  steps: v.optional(limitedList(v.array(SignInStep), 50, "must have at most 50 steps")),
});
export type SessionSettings = v.InferOutput<typeof SessionSettings>;

const short = (max: number) => v.pipe(v.string(), v.maxLength(max));

export const SessionCookie = v.object({
  name: short(4_096),
  value: short(4_096),
  domain: short(300),
  path: short(4_096),
  /** In seconds since the epoch; -1: it ends with the browser. */
  expires: v.number(),
  httpOnly: v.boolean(),
  secure: v.boolean(),
  sameSite: v.picklist(["Strict", "Lax", "None"]),
});

export const StoredItem = v.object({ name: v.string(), value: v.string() });

export const SessionOrigin = v.object({
  origin: short(2_000),
  localStorage: limitedList(v.array(StoredItem), 10_000),
});

/** Cookies and local storage, as Playwright writes them. */
export const SessionState = v.object({
  cookies: limitedList(v.array(SessionCookie), 3_000, "must have at most 3000 cookies"),
  origins: limitedList(v.array(SessionOrigin), 100, "must have at most 100 origins"),
});
export type SessionState = v.InferOutput<typeof SessionState>;

/** A kept sign-in as the API returns it: without its state. */
export const SessionView = v.object({
  name: SessionName,
  hosts: v.pipe(v.array(v.string()), v.description("The hosts of its cookies and its local storage.")),
  saved_at: v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time.")),
});
export type SessionView = v.InferOutput<typeof SessionView>;
