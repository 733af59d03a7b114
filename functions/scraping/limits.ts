/**
 * How much is read, compared, kept and quoted, by what it is about. Times stand in timing.ts. The page script uses this
 * file, too.
 */

/** How long rows of a kept sign-in wait for a page that shows it, before the first page is opened again. */
export const UNPROVEN = {
  /** After so many pages, to load few pages more. */
  batches: 10,
  /** Or after so many rows, which take memory. */
  rows: 1_000,
  /** Or if there is time for fewer pages than these. */
  pagesLeft: 4,
} as const;

/** Rows that tell about all rows of a list. */
export const SAMPLE = {
  /** Whether it is made of components with shadow roots. */
  shadow: 20,
  /** Whether a selector matches several elements. */
  several: 100,
  /** Whether it recycles its rows: so many at each end. */
  recycled: 40,
} as const;

/** The share of rows that have to be equal where some have changed meanwhile. */
export const ALIKE = 0.7;

/** The most rows whose values or texts are compared: the first ones of a long list. */
export const ROWS_COMPARED = 5_000;

/** Views that are scrolled through, so that a page shows what it has yet to show. */
export const VIEWS = {
  /** The most for a page, or for rows that are added to a list. */
  most: 60,
  /** The most that are looked through for one row. */
  row: 500,
  /** After so many without any change, the page is not scrolled on. */
  same: 5,
  /** After so many lists of added rows without an effect, others are not brought into view any more. */
  inVain: 2,
} as const;

/** What counts as in view, as parts of a view or of an element. */
export const IN_VIEW = {
  /** How much of an element's height, or of the window's, has to be in view. */
  shown: 0.95,
  /** How far below the top of a view an element is shown: at its edge it may not count for the page. */
  top: 0.1,
  /** A row that is higher than this part of the window may be in view while some of its content is not. */
  high: 0.5,
} as const;

/** When values look as if they were waiting to be filled. */
export const PLACEHOLDERS = {
  /** So many rows that say the same at the end of a list. */
  alike: 3,
  /** Longer texts are no placeholders. */
  text: 40,
} as const;

/** How a list is followed of which only a window exists. */
export const WINDOW = {
  /** What stays in view when it is scrolled on, and by what columns are scrolled, as parts of the view. */
  kept: 0.2,
  columns: 0.8,
  /** The same to find one row. */
  row: 0.7,
  /** How many views before its end it may be whole. */
  nearEnd: 3,
  /** How often one scroll is shortened, and how often the list may stop at the same position. */
  retries: 4,
  stops: 2,
  /** Rows that are kept to find out which ones are known, and those of a list that turns out to recycle its rows. */
  known: 60,
  last: 80,
  /** Rows that have moved by so many pixels stand where they stood. */
  stands: 2,
  /** By what chance rows that are equal may be other ones. */
  chance: 0.001,
} as const;

/**
 * Digits that are raised: what they are at most of the height of those before them, how far they stand above their line, and
 * the part of the height of a text that lies below its line, in most fonts.
 */
export const RAISED_DIGITS = { height: 0.85, rise: 0.25, descent: 0.2 } as const;

/** Characters of one row, of one answer (which has at least one row), of all rows read together, and of a language. */
export const ANSWERS = {
  row: 16 * 1024 ** 2,
  answer: 1024 ** 2,
  all: 64 * 1024 ** 2,
  language: 35,
} as const;

/**
 * Scrolling a box: what it may overflow by without scrolling, in pixels, and the most turns of the wheel to its end, or
 * presses of a control that only moves it.
 */
export const SCROLL = { slack: 4, turns: 50 } as const;

/** What is searched for a text such as "1–10 of 57", an error, or the name of a control. */
export const SEARCHED = {
  /** Elements and characters of a part of the page. */
  elements: 200,
  text: 2_000,
  /** Parts beside the list, or one of its ancestors. */
  parts: 100,
  /** Elements that were changed at once: a message is shown with few others. */
  changed: 50,
  /** A longer sentence is about something else. */
  sentence: 200,
  error: 160,
  /** How far up the nearest common ancestor of a list and its button is. */
  near: 3,
  /** How much longer than a name a text may be that the name is a part of. */
  added: 60,
} as const;

/** When rows or pages count as repeated. */
export const REPEATS = {
  /** Rows in a row that have to come again: fewer may be equal by chance. */
  run: 10,
  /** A row that came more often than this tells nothing. */
  common: 5,
  /** Rows that later ones are compared with. */
  kept: 2_000,
  /** So many rows in a row that a page shares with the one before: a single one may be equal by chance. */
  shared: 2,
  /** Fewer different rows may come again in the same order by chance, and so may fewer rows. */
  cycle: 3,
  copies: 2,
  /** So many equal pages in a row may be pages of their own. A site that gives its last page for all later ones gives more. */
  pages: 3,
  /** The first pages, which a run that is resumed knows: the first one may have two addresses, and leads to the second. */
  first: 2,
} as const;

/** So many rows without a field, after as many with it, are no chance. */
export const TELLING_ROWS = 3;

/** Pages that are requested before they are needed. */
export const AHEAD = {
  /** How many at first, although no page has linked to them yet: a short list may need only a few. */
  first: 2,
  /** The most responses that wait to be read, of a list's pages and of its details. */
  pages: 16,
  details: 24,
  /** Details beyond the current batch. */
  behind: 4,
} as const;

/** Pages that are read by HTTP before the browser confirms one of them. */
export const BATCH = {
  /** The first sizes, for pages without and with scripts, and the largest size. */
  withoutScripts: 4,
  withScripts: 1,
  largest: 16,
  /** Fewer details than this are opened in the browser, which also opens the last of more. */
  few: 3,
  /** After this many fallbacks to the browser in a row, the browser reads all remaining pages. */
  fallbacks: 3,
} as const;

/** Servers encode a page once. Each further encoding can make a small answer a thousand times larger. */
export const ENCODINGS_MAX = 2;

/** Documents of a tab. */
export const DOCUMENTS = {
  /** The most during one step, because a page may reload itself each second. */
  endless: 100,
  /** Pages that may follow one another without a step: as many as browsers allow redirects. */
  chain: 20,
  /** After so many, those before are freed: by itself, the page's process would keep a megabyte of each. */
  kept: 25,
} as const;

/** What a page may make the engine keep. */
export const KEPT = {
  /** Windows that one action may open; a page that opens more of them has no good reason to. */
  popups: 20,
  /** Characters of an address: a script may give its page one of megabytes, which can't be resumed at. */
  address: 8_192,
  /** Requests that may be told of between the two events of one of them. */
  requests: 50,
  /** Different errors that tell something. A page with more has them all the time. */
  errors: 50,
  /** Values inside of others are elements up to this depth; what is deeper is JSON. */
  depth: 50,
  /** Characters of cookies and storage: a page with more is never preloaded, because it probably depends on those before. */
  state: 10_000,
  /** Redirects of details. */
  redirects: 1_000,
} as const;

/** JSON that a page carries. */
export const JSON_DATA = {
  /** Characters of one text, or bytes of a document with any data; and characters of all responses that are kept of a page. */
  characters: 16 * 1024 ** 2,
  together: 64 * 1024 ** 2,
  /** How deep a path looks that finds values at any depth. */
  depth: 500,
} as const;

/** A page that requests an address more often than this, one request after another, while it comes to rest polls it. */
export const POLLS = {
  repeats: 6,
  /** Whether its answers are among the rows: shorter values may be in any answer. */
  telling: 4,
  /** The most values that are looked for, and the most characters to look in: a page chooses both. Polls have short answers. */
  values: 1_000,
  answer: 100_000,
} as const;
/** The most frames of a page whose states are looked at. */
export const FRAMES_MAX = 10;

/** Rows that are handed over together. */
export const GROUP = 20;
/**
 * Rows that are handed over together if their files are downloaded. Even if each takes its longest time, one after the other,
 * they end within one execution.
 */
export const FILES_GROUP = 4;
/** How many pages after one without the list have to lack it, too, for the list to end there. */
export const FURTHER = 2;

/** Characters that messages quote, and selectors that they name. */
export const QUOTED = { value: 100, tag: 120, dialog: 100, error: 150, option: 100, selectors: 5 } as const;

/** A run's item, where these are stored, has to stay small. */
export const STORED = {
  /** Characters of a warning, and bytes of all. */
  warning: 500,
  warnings: 20_000,
  /** Bytes of the texts of get_text steps. */
  texts: 50_000,
} as const;

/** Pictures of pages. */
export const PICTURE = {
  /** How often one is drawn that the browser does not give at once. */
  draws: 3,
  /** How often texts are covered: some are only in the snapshot after others are covered. */
  rounds: 2,
  /** In pixels. */
  side: 8_000,
  /** With the rest, it has to fit into the response of a Lambda function, which is limited to 6 MB. */
  bytes: 2_500_000,
  /** The same for a failure, which is stored. */
  evidence: 300_000,
} as const;

/**
 * A snapshot of a page: the elements of a document, the attributes of one of them, the characters of texts and attributes in
 * all, and the documents in frames.
 */
export const SNAPSHOT = { elements: 20_000, attributes: 40, characters: 4_000_000, frames: 5 } as const;
/** What a page states for others than its readers: the most elements of each kind that are looked at. */
export const DECLARED_MAX = 100;

/** When layout is given up, or costs less than to go without. */
export const LAYOUT = {
  /** Characters of text from which a page is refused. Its layout would take more memory than there is. */
  text: 16_000_000,
  /** The texts that are looked at: there may be very many, and then they are short. */
  texts: 5_000,
  /** Of more selectors than this, layout costs less than to find what they match. */
  selectors: 200,
} as const;

/** A dropdown: the height that its control may have, in pixels, the clicks on an option, and texts of the same wording. */
export const DROPDOWN = { height: 150, clicks: 3, texts: 20 } as const;

/** Browsers: the runs after which one is replaced, and how many wait for a run. */
export const BROWSERS = { runs: 20, spares: 2 } as const;

/** To look at every open file takes some milliseconds: it is done at every fourth look, or when there are this many more. */
export const OPEN_FILES = { looks: 4, more: 32 } as const;

/** Downloaded files. */
export const DOWNLOADS = {
  /** The most bytes of a name. With the number that precedes it, it fits into the 255 bytes that file systems allow. */
  name: 180,
  /** How many bytes at the beginning of a file tell its type. */
  head: 1_024,
} as const;

/** Pages of one host that load at the same time: more gain little, and would be impolite. */
export const CONCURRENCY = 4;

/** No rule of a real site is longer, and no more of an address is compared: matching takes time for each pair of them. */
export const ROBOTS = { rule: 2_048, redirects: 5 } as const;
