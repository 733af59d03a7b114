import type { Tab } from "../tab.ts";

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
