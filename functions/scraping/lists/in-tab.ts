import { checkDocument } from "../page/document.ts";
import type { Tab } from "../page/tab.ts";
import type { Session } from "../session.ts";
import type { Reading } from "./list-calls.ts";

/** For reading in another tab of the session, whose page loads are not counted. */
export const inTab = (session: Session, tab: Tab): Reading => ({
  tab,
  budget: session.budget,
  isAfterStep: false,
  checkLoads() {
    if (tab.main.takeLoads() > 0) checkDocument(tab.document, session.egress);
  },
});
