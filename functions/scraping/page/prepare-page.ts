import { type Identity, identityOverride } from "../browser/identity.ts";
import { imageLoadsCode } from "../page-script/bundles/image-loads.ts";
import { pageScriptCode } from "../page-script/bundles/page-script.ts";
import { pageWorldCode } from "../page-script/bundles/page-world.ts";
import { SETTLE_BINDING } from "../page-script/rest-protocol.ts";
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

/** Files that cost time and can't change what a row says: fonts, videos and sounds. */
const FILE_TYPES = "woff woff2 ttf otf eot mp4 m4v webm mov mp3 m4a aac ogg oga opus wav flac".split(" ");

/** Hosts of well-known trackers, with their direct subdomains. */
const TRACKERS = [
  "google-analytics.com",
  "googletagmanager.com",
  "doubleclick.net",
  "g.doubleclick.net",
  "googlesyndication.com",
  "googleadservices.com",
  "connect.facebook.net",
  "hotjar.com",
  "clarity.ms",
  "segment.io",
  "mixpanel.com",
  "amplitude.com",
  "fullstory.com",
  "criteo.com",
  "criteo.net",
  "taboola.com",
  "outbrain.com",
  "scorecardresearch.com",
  "quantserve.com",
  "newrelic.com",
  "nr-data.net",
];

/** The browser's patterns have no alternatives, but optional parts. */
const anyOf = (texts: readonly string[]) => texts.map((text) => `{${text}}?`).join("");

/**
 * Requests of pages that are blocked, unless a scraper loads everything; documents are exempt. The browser tests every
 * request against every pattern, also those that it would not make: a few patterns cost nothing, while one for each type
 * and host took a twentieth of a run's time. The first match decides.
 */
export const BLOCKED_REQUESTS: readonly { urlPattern: string; block: boolean }[] = [
  // The next pattern also matches where none of its types is present.
  { urlPattern: "*://*:*/*.", block: false },
  { urlPattern: `*://*:*/*.${anyOf(FILE_TYPES)}`, block: true },
  { urlPattern: `*://{:name.}?${anyOf(TRACKERS)}:*/*`, block: true },
];
