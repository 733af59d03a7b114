import {
  SessionCheck,
  SessionCookie,
  SessionOrigin,
  SessionSettings,
  SessionState,
  SessionView,
  SignInStep,
  StoredItem,
} from "../contract/sessions/session.ts";
import { SessionList } from "../contract/sessions/session-routes.ts";
import {
  AbsoluteTransform,
  DateTransform,
  LowerTransform,
  NumberTransform,
  RegexTransform,
  SplitTransform,
  StripTransform,
  Transform,
} from "../contract/steps/transform.ts";

/** The named schemas of kept sign-ins. */
export const sessionDefinitions = {
  SessionSettings,
  SessionCheck,
  SignInStep,
  SessionView,
  SessionList,
  SessionState,
  SessionCookie,
  SessionOrigin,
  StoredItem,
};

/** The named schemas of the transforms of fields. */
export const transformDefinitions = {
  Transform,
  NumberTransform,
  DateTransform,
  RegexTransform,
  SplitTransform,
  StripTransform,
  LowerTransform,
  AbsoluteTransform,
};
