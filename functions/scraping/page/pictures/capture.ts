import type { RunWarning } from "../../../contract/runs/run.ts";
import { JSON_CHARACTERS, type JsonText } from "../../../proposals/snapshot.ts";
import { EVIDENCE_CUT_AT, type Evidence, type RunFailure } from "../../../runs/failure.ts";
import type { Budget } from "../../budget.ts";
import { PICTURE, SNAPSHOT } from "../../limits.ts";
import { snapshotCode } from "../../page-script/bundles/snapshot.ts";
import type { Collected, CollectedFrame } from "../../page-script/snapshot/index.ts";
import { within } from "../../time-limit.ts";
import { CAPTURE_MS, EVIDENCE_MS } from "../../timing.ts";
import type { Tab } from "../tab.ts";
import type { FindTexts } from "./picture-cover.ts";

/** A snapshot of a page, and a screenshot. */
export interface PageCapture {
  /** The address of the page. */
  url: string;
  /** A `Snapshot` of functions/proposals as JSON, which only a thread parses, because it may be large. */
  snapshot: string;
  /** A JPEG of the whole page, as far as its longest sides reach. */
  screenshot?: Uint8Array;
  /**
   * What was done about secrets: `covered` on the screenshot, which has no images then, or `hidden`, if there is no
   * screenshot because it could show one.
   */
  secrets?: "covered" | "hidden";
}

/** Asks for a capture of the page at the end of the steps, also if one of them fails. */
export interface CaptureRequest {
  wantsScreenshot: boolean;
  /** Whether the JSON that the page carries and has requested is part of the snapshot. */
  wantsJson?: boolean;
  /** Called when the steps are done: how to find the texts that the screenshot must not show, if there are any. */
  findSecrets?: () => FindTexts | undefined;
  /** Whether the page is captured after this end, as it is at that moment; absent: after each, once it is stable. */
  wants?: (failure: RunFailure | undefined, warnings: readonly RunWarning[]) => boolean;
  onCapture: (capture: PageCapture) => void | Promise<void>;
}

/** Where the code that collects a document is kept, which knows the elements of its frames. */
const COLLECTOR = "gleanerSnapshot";

/** Collects what a page shows, with the documents of its frames. */
async function collect(tab: Tab, responses: readonly JsonText[] | undefined): Promise<Collected> {
  const page = await collectIn(tab, { responses, timeout: CAPTURE_MS.collect });
  const end = performance.now() + CAPTURE_MS.collect;
  let left: number = SNAPSHOT.frames;
  /** A document with those of its frames. */
  const complete = async (document: Collected, around?: string): Promise<string> => {
    const inside: string[] = [];
    for (const [index, place] of document.frames.entries()) {
      const timeout = end - performance.now();
      if (left === 0 || timeout < 0) break;
      left -= 1;
      // A frame may be gone meanwhile, or show something else than a document.
      const frame = await tab
        .frameShownBy(`${COLLECTOR}.frameElement(${index})`, around)
        .catch(() => undefined);
      const shown = frame && (await collectIn(tab, { frame, place, timeout }).catch(() => undefined));
      if (shown) inside.push(await complete(shown, frame));
    }
    return inside.length === 0
      ? document.snapshot
      : `${document.snapshot.slice(0, -1)},"frames":[${inside.join()}]}`;
  };
  return { ...page, snapshot: await complete(page) };
}

interface CollectRequest {
  timeout: number;
  responses?: readonly JsonText[] | undefined;
  /** The id of the frame, and where its document begins; absent: the main frame. */
  frame?: string;
  place?: CollectedFrame;
}

function collectIn(tab: Tab, { timeout, responses, frame, place }: CollectRequest): Promise<Collected> {
  const request = [responses ?? null, ...(place ? [place] : [])].map((each) => JSON.stringify(each));
  const expression = `(()=>{${snapshotCode};globalThis.${COLLECTOR}=snapshot;return snapshot.collect(${request})})()`;
  return tab.evaluate<Collected>(expression, timeout, frame);
}

export async function capturePage(
  tab: Tab,
  { wantsScreenshot, wantsJson, findSecrets, onCapture }: CaptureRequest,
): Promise<void> {
  await tab.release(CAPTURE_MS.release);
  const find = findSecrets?.();
  // The JSON of a page may repeat a secret, and is large: then it is left out.
  const responses = wantsJson && !find ? await tab.json.kept(JSON_CHARACTERS) : undefined;
  const { snapshot, url, ...size } = await collect(tab, responses);
  // The snapshot comes first, because the page is changed to cover secrets.
  const screenshot = wantsScreenshot ? await pictureOf(tab, size, find) : undefined;
  const secrets = screenshot ? ("covered" as const) : ("hidden" as const);
  await onCapture({
    url,
    snapshot,
    ...(screenshot && { screenshot }),
    ...(wantsScreenshot && find && { secrets }),
  });
}

async function pictureOf(
  tab: Tab,
  { width, height }: Pick<Collected, "width" | "height">,
  find: FindTexts | undefined,
): Promise<Buffer | undefined> {
  const clip = { width: Math.min(width, PICTURE.side), height: Math.min(height, PICTURE.side) };
  // A page that never stops painting has no screenshot; the snapshot is still useful.
  const picture = await tab
    .picture({ quality: 50, timeout: CAPTURE_MS.picture, size: clip, find })
    .catch(() => undefined);
  return picture && picture.length <= PICTURE.bytes ? picture : undefined;
}

/** Adds to a failure what the page looks like, and what of the page may be its cause. */
export async function explain(failure: RunFailure, tab: Tab, budget: Budget): Promise<void> {
  failure.evidence ??= await collectEvidence(tab, budget);
  if (!/^(?:element|fields)_not_found$/.test(failure.code)) return;
  const late = await tab.network.late([]);
  if (late !== undefined)
    failure.message += ` The page requested ${late}, and had no answer in time. If the answer brings it, increase the timeout_ms of the step.`;
  failure.message += await hiddenRoots(tab);
}

/** What the page looks like; whatever takes too long is left out. Never throws. */
async function collectEvidence(tab: Tab, budget: Budget): Promise<Evidence> {
  const { page, document } = tab;
  const timeout = Math.max(EVIDENCE_MS.least, budget.cut(EVIDENCE_MS.most));
  const ifInTime = <T>(promise: Promise<T>, fallback: T): Promise<T> =>
    within(timeout, promise).catch(() => fallback);
  // Without layout or painting, the picture would be blank.
  await tab.release(EVIDENCE_MS.release);
  const picture = () => tab.picture({ quality: 40, timeout });
  const [title, screenshot] = await Promise.all([
    ifInTime(page.title(), ""),
    // A page that has just started to load may refuse the first time.
    ifInTime<Buffer | undefined>(picture().catch(picture), undefined),
  ]);
  // The browser shows an error page of its own where no document came.
  const url = page.url().startsWith("chrome-error:") ? document.url : page.url();
  return {
    url: url.slice(0, EVIDENCE_CUT_AT),
    title: title.slice(0, EVIDENCE_CUT_AT),
    ...(screenshot && screenshot.length <= PICTURE.evidence && { screenshot }),
  };
}

/** In HTML: a closed shadow root, and the start tag of the element that it belongs to. */
const CLOSED_ROOT = /<([a-z][\w.-]*)[^<>]*>\s*<template\b[^<>]*\bshadowrootmode\s*=\s*["']?closed\b/gi;

/**
 * A sentence about the closed shadow roots that the page's HTML declares, to follow the message of a failure or of a warning
 * that nothing was found; "" if there are none. Those that scripts attach are open to selectors.
 */
export async function hiddenRoots({ main }: Pick<Tab, "main">): Promise<string> {
  const html = await main.html().catch(() => "");
  const [host] = [...html.matchAll(CLOSED_ROOT)].map(([, name]) => name);
  return host === undefined
    ? ""
    : ` The page has closed shadow roots, such as that of <${host}>, which its HTML declares (shadowrootmode="closed"). Selectors and texts do not reach into them. Look for the values in the JSON that the page carries or requests, and read them by "json".`;
}
