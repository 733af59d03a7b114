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
