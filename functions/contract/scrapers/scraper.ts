import * as v from "valibot";
import { inputsOrSource, notBothInputs } from "../batches/batch.ts";
import { limitedList } from "../limited-list.ts";
import { ROWS_LIMIT_DEFAULT, RowsLimit } from "../runs/rows-limit.ts";
import { RunError, RunWarning } from "../runs/run.ts";
import { RunStatus } from "../runs/run-status.ts";
import { checkSecrets } from "../secrets/secret-references.ts";
import { SessionSettings } from "../sessions/session.ts";
import { HttpUrl } from "../steps/action-steps.ts";
import { Step } from "../steps/steps.ts";
import { DELIVERIES_MAX, Delivery } from "./delivery.ts";
import { Interval } from "./interval.ts";
import { siteAccess } from "./site-access.ts";
import { upsertKeyOf } from "./upsert-key.ts";
import { watching } from "./watching.ts";

/** Maximum size of a definition as JSON, in bytes. Each run stores its steps in one DynamoDB item of at most 400 KB. */
export const DEFINITION_BYTES_MAX = 300_000;

const Selector = v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(2000));

/**
 * Limits of a pagination. `max_pages` is the number of pages to read. `delay_ms` is the minimum time between two page
 * loads of a host, across all runs of an account.
 */
const bounds = {
  max_pages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))),
  delay_ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000))),
};
const button = {
  selector: v.optional(Selector),
  field_name: v.optional(Selector),
  /** If true, the run fails if the button is missing. Otherwise the list has one page, and the run gets a warning. */
  required: v.optional(v.boolean()),
};

export const NoPagination = v.strictObject({ type: v.literal("none"), delay_ms: bounds.delay_ms });
/** A button or link that shows more rows. `next_button` opens the next page; `load_more` adds rows to the page. */
export const ButtonPagination = v.pipe(
  v.strictObject({ type: v.picklist(["next_button", "load_more"]), ...button, ...bounds }),
  v.check(
    (pagination) => pagination.selector !== undefined || pagination.field_name !== undefined,
    "requires a selector or a field_name to identify the button",
  ),
);
export const LoadMoreControl = v.pipe(
  v.strictObject({ selector: button.selector, field_name: button.field_name }),
  v.check(
    ({ selector, field_name }) => selector !== undefined || field_name !== undefined,
    "requires a selector or a field_name to identify the button",
  ),
);
export const InfiniteScrollPagination = v.strictObject({
  type: v.literal("infinite_scroll"),
  selector: v.optional(Selector),
  /** The button that adds rows when scrolling adds no more. */
  load_more: v.optional(LoadMoreControl),
  ...bounds,
});
/** Pages with a number in the address. `{page}` is `start` on the first page, and grows by `step`. */
export const UrlTemplatePagination = v.strictObject({
  type: v.literal("url_template"),
  url: v.pipe(
    v.string(),
    v.includes("{page}", "must contain the placeholder {page}"),
    v.check(
      (url) => v.is(HttpUrl, url.replaceAll("{page}", "1")),
      "must be an absolute http:// or https:// URL that contains {page}",
    ),
  ),
  start: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000))),
  step: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))),
  ...bounds,
});

/** How a list continues after its first page. Durations are in milliseconds. */
export const Pagination = v.variant("type", [
  NoPagination,
  ButtonPagination,
  InfiniteScrollPagination,
  UrlTemplatePagination,
]);
export type Pagination = v.InferOutput<typeof Pagination>;

/** An IANA time zone that this runtime supports. */
const TimeZone = v.pipe(
  v.string(),
  v.check((zone) => {
    try {
      return Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
    } catch {
      return false;
    }
  }, "must be an IANA time zone such as Europe/Berlin"),
);

const isoTime = v.pipe(
  v.string(),
  v.isoTimestamp("must be an ISO 8601 time such as 2030-01-31T09:00:00.000Z"),
  v.description("ISO 8601 UTC date-time."),
);

/** Before this time, `toISOString` writes four-digit years, so stored times can be compared as strings. */
const YEAR_10000 = Date.UTC(10_000, 0);

/** An ISO 8601 time that exists in the calendar. The check is needed because Date parses 31 February as 3 March. */
const realTime = v.pipe(
  v.string(),
  v.check((text) => {
    const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
    const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
    return v.is(isoTime, text) && day <= lastDay && !Number.isNaN(Date.parse(text));
  }, "must be an ISO 8601 time such as 2030-01-31T09:00:00.000Z"),
  v.check((text) => !(Date.parse(text) >= YEAR_10000), "must be before the year 10000 in UTC"),
);

const Paused = v.optional(v.pipe(v.boolean(), v.description("Whether the schedule starts no runs.")));

/** A schedule in a definition. Its intervals count from `next_run`; if that is absent, from the time of the request. */
export const Schedule = v.strictObject({
  interval: Interval,
  next_run: v.optional(realTime),
  timezone: v.optional(TimeZone, "UTC"),
  paused: Paused,
});
export type Schedule = v.InferOutput<typeof Schedule>;

/** A schedule as GET returns it: `next_run` is in the future. */
export const ScheduleSchema = v.object({
  interval: Interval,
  next_run: isoTime,
  timezone: TimeZone,
  paused: Paused,
});

/** The upstream proxy of a scraper's runs. The operator sets up the proxies of each type and country. */
export const ProxySettings = v.strictObject({
  type: v.picklist(["none", "datacenter", "residential", "custom"]),
  country: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
});
export type ProxySettings = v.InferOutput<typeof ProxySettings>;

/** A header value: printable ASCII without leading or trailing spaces. */
export const UserAgent = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(500, "must be at most 500 characters"),
  v.regex(/^[!-~]([ -~]*[!-~])?$/, "must be printable ASCII without leading or trailing spaces"),
);

/** How the runs of a scraper behave: towards sites, and towards what earlier runs had. */
const browsing = {
  /** Images, fonts, media and known trackers are blocked unless this is true. */
  load_images: v.optional(v.boolean()),
  user_agent: v.optional(UserAgent),
  /** `page`, the default: the engine may speed up the time of a page while it waits. `real`: it never does. */
  clock: v.optional(v.picklist(["page", "real"])),
  /** What loads the pages of a list after the first; `browser` by default. The rows are the same. */
  engine: v.optional(v.picklist(["browser", "http", "auto"])),
  /** Maximum number of pages of one host that load at the same time. */
  concurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4))),
  /** If absent, robots.txt applies to pages found by pagination and details, but not to URLs in steps. */
  respect_robots: v.optional(v.boolean()),
  /** A sign-in that the account's runs share and keep. */
  session: v.optional(SessionSettings),
  ...siteAccess,
  ...watching,
};

/** Where the rows of good runs and batches are sent. */
const deliveries = v.optional(
  v.pipe(
    limitedList(v.array(Delivery), DELIVERIES_MAX),
    v.minLength(1, "must have at least one destination, or be left out"),
  ),
);

const definition = {
  name: v.pipe(v.string(), v.trim(), v.minLength(1, "must not be empty"), v.maxLength(200)),
  steps: v.pipe(
    limitedList(v.array(Step), 200, "must have at most 200 steps"),
    v.minLength(1, "must have at least one step"),
    v.check((steps) => {
      const ids = steps.flatMap((step) => step.id ?? []);
      return new Set(ids).size === ids.length;
    }, "must have unique ids"),
  ),
  pagination: v.optional(Pagination, { type: "none" }),
  /** If absent, runs have the default limit, and a warning if they stop there. */
  rows_limit: v.optional(
    v.pipe(
      RowsLimit,
      v.description(`By default: \`${ROWS_LIMIT_DEFAULT}\`, and a run that stops there has a warning.`),
    ),
  ),
  schedule: v.optional(v.nullable(Schedule), null),
  proxy: v.optional(ProxySettings, { type: "none" }),
  webhook_url: v.optional(v.nullable(HttpUrl), null),
  deliveries,
  /** If it has inputs, its schedule starts batches. */
  ...inputsOrSource,
  ...browsing,
};

/** A field that only the service sets. It is ignored, so that clients can send a scraper as they retrieved it. */
const setByService = v.optional(v.pipe(v.unknown(), v.description("Set by the service; ignored here.")));

/** A scraper definition in a request. */
export const ScraperDefinition = v.pipe(
  v.strictObject({
    id: v.optional(v.pipe(v.string(), v.uuid())),
    ...definition,
    created_at: setByService,
    updated_at: setByService,
    version: setByService,
    last_run: setByService,
  }),
  checkSecrets(),
  notBothInputs(),
  v.forward(
    v.check(
      ({ session, steps }) => session === undefined || steps[0]?.type === "visit",
      "requires a visit as the first step, whose page is checked for being signed in",
    ),
    ["session"],
  ),
  v.forward(
    v.check(
      ({ deliveries = [], steps }) =>
        upsertKeyOf(steps) !== undefined || deliveries.every(({ mode }) => mode !== "upsert"),
      "with the mode upsert require a list with a key, the same one in each list, and no rows within rows",
    ),
    ["deliveries"],
  ),
  v.transform(({ created_at: _, updated_at: __, version: ___, last_run: ____, ...rest }) => rest),
);
export type ScraperDefinition = v.InferOutput<typeof ScraperDefinition>;

export type Browsing = Pick<ScraperDefinition, keyof typeof browsing>;

/** Only the browsing settings of a scraper. Absent settings stay absent. */
export const browsingOf = (scraper: Browsing): Browsing =>
  Object.fromEntries(
    Object.keys(browsing).flatMap((key) => {
      const value = scraper[key as keyof Browsing];
      return value === undefined ? [] : [[key, value]];
    }),
  );

/** A step of a stored scraper. It always has an id. */
export type StoredStep = Step & { id: string };

/** The newest run of a scraper. */
export const LastRun = v.object({
  id: v.pipe(v.string(), v.uuid()),
  status: RunStatus,
  row_count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  created_at: isoTime,
  finished_at: v.nullable(isoTime),
  error: v.nullable(RunError),
  warnings: v.array(RunWarning),
  stopping: v.boolean(),
});
export type LastRun = v.InferOutput<typeof LastRun>;

/** Fields that the service adds to a stored definition. */
const facts = {
  created_at: isoTime,
  version: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.description("1 for a new scraper; each replacement adds 1."),
  ),
  updated_at: isoTime,
  last_run: v.nullable(LastRun),
};

/** A scraper as the API returns it. */
export type Scraper = Omit<ScraperDefinition, "id" | "steps" | "rows_limit" | "schedule"> & {
  id: string;
  steps: StoredStep[];
  rows_limit: number;
  schedule: v.InferOutput<typeof ScheduleSchema> | null;
} & { [K in keyof typeof facts]: v.InferOutput<(typeof facts)[K]> };

/** `Scraper` as a schema, for the OpenAPI document. */
export const ScraperSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  steps: v.array(Step),
  pagination: Pagination,
  rows_limit: RowsLimit,
  schedule: v.nullable(ScheduleSchema),
  proxy: ProxySettings,
  webhook_url: v.nullable(v.string()),
  deliveries,
  ...inputsOrSource,
  ...facts,
  ...browsing,
});
