/** A part of the source, and what must fail when a line of it is changed: a command, or pages of the corpus. */
export type Area = {
  /** Files, or lines of them: `file.ts:10-80`. */
  mutate: string[];
} & ({ command: string } | { pages: string[] });

/** Without building the bundles of the page script first, which these tests don't run. */
const jest = (...args: string[]) => `node node_modules/jest/bin/jest.js --bail --runInBand ${args.join(" ")}`;

/** What must not be wrong without anybody noticing, and is small enough to be changed line by line. */
export const areas: Record<string, Area> = {
  overrides: {
    mutate: ["functions/runs/overrides.ts"],
    command: jest("test/functions/runs/overrides"),
  },
  credits: {
    mutate: [
      "functions/store/credits.ts",
      "functions/workers/credit-reserve.ts",
      "functions/runs/credits.ts",
    ],
    command: [
      jest("test/functions/workers/credit-reserve", "test/functions/store/credits"),
      jest("test/functions/workers/credits"),
    ].join(" && "),
  },
  "egress policy": {
    mutate: ["functions/egress/policy/address-policy.ts"],
    command: jest("test/functions/egress/address-policy"),
  },
  "store conditions": {
    mutate: ["functions/store/runs/run-state.ts"],
    command: jest("test/functions/store/run-state"),
  },
  "identity of rows": {
    mutate: [
      "functions/scraping/lists/repeats.ts",
      // What compares rows. The rest reads them, in a browser.
      "functions/scraping/page-script/lists/row-identity.ts:93-157",
      "functions/scraping/page-script/lists/row-identity.ts:159-168",
    ],
    command: jest(
      "test/functions/scraping/lists/repeated-rows",
      "test/functions/scraping/lists/driver",
      "test/functions/scraping/page-script/row-identity",
    ),
  },
  "list driver": {
    mutate: ["functions/scraping/lists/driver.ts"],
    command: jest("test/functions/scraping/lists/driver"),
  },
  "next button": {
    mutate: ["functions/scraping/lists/next-button.ts"],
    pages: ["lists/next-button", "lists/pages-ahead", "lists/controls"],
  },
  "url template": {
    mutate: ["functions/scraping/lists/url-template.ts"],
    pages: ["lists/url-template", "http/url-template"],
  },
  "growing lists": {
    mutate: ["functions/scraping/lists/growing.ts"],
    pages: ["lists/load-more", "lists/infinite-scroll"],
  },
};
