/** Files that cost time and can't change what a row says: fonts, and films and sounds. */
const FILE_TYPES = "woff woff2 ttf otf eot mp4 m4v webm mov mp3 m4a aac ogg oga opus wav flac".split(" ");

/** Hosts of well-known trackers, with the names directly below them. */
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

/** The browser knows no alternatives in these patterns, but parts that may be there or not. */
const anyOf = (texts: readonly string[]) => texts.map((text) => `{${text}}?`).join("");

/**
 * What pages ask for and don't get, unless a scraper has everything loaded; documents are not meant. The browser tries
 * each request against each pattern, the ones that it will not make, too: few patterns are as good as none, while one for
 * each type and host took a twentieth of a run's time. The first that fits decides.
 */
export const NOT_LOADED: readonly { urlPattern: string; block: boolean }[] = [
  // The next pattern fits where none of its types is there, too.
  { urlPattern: "*://*:*/*.", block: false },
  { urlPattern: `*://*:*/*.${anyOf(FILE_TYPES)}`, block: true },
  { urlPattern: `*://{:name.}?${anyOf(TRACKERS)}:*/*`, block: true },
];
