/** A part of the source, and the command that must fail when a line of it is changed. */
export interface Area {
  mutate: string[];
  command: string;
}

const jest = (...files: string[]) => `npm run -s jest -- --bail --runInBand ${files.join(" ")}`;
const pages = (...names: string[]) => names.map((name) => `npm run -s test:pages -- ${name}`).join(" && ");

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
    command: jest("test/functions/workers/credits", "test/functions/store/store"),
  },
  "egress policy": {
    mutate: ["functions/egress/policy/address-policy.ts"],
    command: jest("test/functions/egress/address-policy"),
  },
  "store conditions": {
    mutate: ["functions/store/runs/run-state.ts"],
    command: jest(
      "test/functions/store/store",
      "test/functions/workers/faults",
      "test/functions/workers/stop-run",
    ),
  },
  "identity of rows": {
    mutate: ["functions/scraping/lists/{pages-seen,repeat-check,unique-rows}.ts"],
    command: pages("lists/next-button", "lists/url-template", "lists/warnings"),
  },
  pagers: {
    mutate: ["functions/scraping/lists/{next-button,url-template,growing}.ts"],
    command: pages(
      "lists/next-button",
      "lists/url-template",
      "lists/load-more",
      "lists/controls",
      "lists/warnings",
    ),
  },
};
