import { type Identity, identityOverride } from "../browser/identity.ts";
import { imageLoadsCode } from "../page-script/bundles/image-loads.ts";
import { pageScriptCode } from "../page-script/bundles/page-script.ts";
import { pageWorldCode } from "../page-script/bundles/page-world.ts";
import { SETTLE_BINDING } from "../page-script/protocol.ts";
import { BLOCKED_REQUESTS } from "./blocked-requests.ts";
import type { MainFrame } from "./main-frame.ts";
import type { PageCalls } from "./page-calls.ts";

type MainFrameInfo = Parameters<MainFrame["start"]>[0];

export interface Preparation {
  identity: Identity;
  /** Whether images, fonts, films and trackers are loaded, too. */
  loadsAll: boolean;
}

/** Puts the page script into a page, and sets what the page may load. Returns its main frame. */
export async function preparePage(
  calls: PageCalls,
  { identity, loadsAll }: Preparation,
): Promise<MainFrameInfo> {
  const { send } = calls;
  // Which isolated world there is, has to be known before anything is put into it.
  await send("Runtime.enable");
  const { world } = calls;
  const [{ frameTree }] = await Promise.all([
    send("Page.getFrameTree"),
    send("Runtime.addBinding", { name: SETTLE_BINDING, executionContextName: world }),
    send("Page.enable"),
    send("Network.enable"),
    send("Network.setBlockedURLs", { urlPatterns: loadsAll ? [] : [...BLOCKED_REQUESTS] }),
    send("Emulation.setUserAgentOverride", identityOverride(identity)),
    send("Page.addScriptToEvaluateOnNewDocument", {
      source: pageScriptCode,
      worldName: world,
      runImmediately: true,
    }),
    send("Page.addScriptToEvaluateOnNewDocument", {
      source: loadsAll ? pageWorldCode : pageWorldCode + imageLoadsCode,
      runImmediately: true,
    }),
  ]);
  return frameTree.frame;
}
