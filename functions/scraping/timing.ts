/**
 * How long a page is given to come to rest. Times of the page are virtual; a page in real time has them in real time.
 */

/** How much of the page's time passes at once: what a timer does within it is waited for. */
export const AHEAD_MS = 5_000;
/** The same where the page waits for nothing: what is posted in it is done, and answers are handled. */
export const IDLE_AHEAD_MS = 250;
/** How much of the page's time the browser lets pass for each request. */
export const REQUEST_MS = 10;
/** How long nothing may have changed at the end of it, in ms of the page's time. */
export const QUIET_MS = 2_000;
/** Time between two frames, in ms. */
export const FRAME_MS = 17;
/** The most rounds, and the most real time in ms for what is not in the page's time, until a page counts as restless. */
export const ROUNDS = 12;
export const MOST_MS = 30_000;
/** How long the parser may take for a document whose transfer has broken off, in real ms. */
export const CUT_OFF_MS = 1_000;
/** The most frames of a page that asks for them without end: numbers may count up for as long. */
export const FRAMES = 160;
/** The same as long as they bring other elements or texts. */
export const SHOWING_FRAMES = 320;
/** Frames after something was done to such a page: what it does by frames, such as to fade out, takes up to a second. */
export const ACTED_FRAMES = 60;
/** Frames of a new document that asks for one: what a library does in its next frame comes before timers that follow. */
export const FIRST_FRAMES = 8;
/** The most frames between two looks. */
export const FRAMES_AT_ONCE = 40;
/** After how much of the pages' time cookies get it back, in ms, where the pages' time is also theirs. */
export const COOKIES_AHEAD_MS = 10_000;
/** How long a request may stop the page's time, in real ms. */
export const PATIENCE_MS = 10_000;
/** Longest wait for a server to begin its answer, in real ms. */
export const NAVIGATION_MS = 30_000;
/** How long a page may take to send the request for a document that it has announced, in real ms. */
export const ANNOUNCED_MS = 300;
/** Real time steps for work of the browser, and for workers and channels; how many quiet ones of the latter are enough. */
export const WORK_STEP_MS = 10;
export const CHANNEL_STEP_MS = 100;
export const QUIET_STEPS = 10;
/** The same where the page has asked for something and shown nothing, and where it has asked for nothing. */
export const ANSWER_STEPS = 50;
export const IDLE_STEPS = 2;
/** How much real time passes before a page that is at rest is given more of its own, in ms. */
export const MORE_MS = 250;
/** The most of these steps. */
export const STEPS = 120;
/** How much time a page with WebSockets or event streams may skip in all: their servers expect signs of life. */
export const CHANNEL_LEAD_MS = 10_000;

/** What passes of the page's time after each press and scroll, in ms: some pages take notice of one in a second. */
export const ACT_GAP_MS = 1_200;
/** How often a jump that has not ended is looked at, in real ms. */
export const LOOK_MS = 20;
/** For how long a page's time may stand still without a request, in real ms, until the browser no longer waits for requests. */
export const IDLE_HOLD_MS = 2_000;
/** A page is stuck in a task if its time does not pass for this long, in real ms, although no request holds it. */
export const STUCK_MS = 8_000;
/** How often frames are drawn while something needs them, in real ms. */
export const PUMP_MS = 4;
/** How often a page in real time gets a frame, in ms. */
export const REAL_FRAME_MS = 30;

/** Longest wait for what a page answers at once, if its scripts ever rest, and for the cookies and the local storage. */
export const CALL_MS = 10_000;
/** The same for what only improves a message or a warning. */
export const ASIDE_MS = 2_000;
/** Time for an answer of the page to arrive, beyond the time that the page may take, in ms. */
export const ANSWER_MS = 3_000;
/** How long a step waits for its element, if it does not say. */
export const STEP_MS = 10_000;
/** The least time for an action, and for the page of a row: with less left, it fails because the run runs out of time. */
export const LEAST_MS = { action: 1_000, detail: 500 } as const;
/** Longest wait for the layout of a page that was held back. */
export const RELEASE_MS = 5_000;
/** How long a press by the pointer may take, for a control without and with an address. */
export const POINTER_MS = { script: 5_000, link: 2_000 } as const;
/** How long one click on an option may take; a list that was drawn again meanwhile is looked at again. */
export const OPTION_MS = 2_000;
/** The end of the steps: what a picture and a snapshot of the page may take. */
export const CAPTURE_MS = { release: 2_000, collect: 5_000, picture: 5_000 } as const;
/** What the picture and the title of a failed page may take: `least` when the run has no time left, `most` when it has. */
export const EVIDENCE_MS = { release: 500, least: 1_500, most: 6_000 } as const;
/** Time reserved for the end of an execution: evidence, closing the browser, the caller's last writes. */
export const RESERVE_MS = 2_000;

/** How often a call is looked at, in ms. */
export const CALL_LOOK_MS = 100;
/** For how long only useless requests have to stop the page's time, in ms: a useful one may follow. */
export const HELD_MS = 150;
/**
 * How long to wait, in ms, for unrequested messages of WebSockets, and for answers to what the page sent. There may be no
 * answer, and other messages may come first.
 */
export const SOCKET_MS = { messages: 1_000, answer: 5_000 } as const;
/** The time after which a group of rows is handed over, because a run may end between groups only. */
export const GROUP_MS = 5_000;
/** Longest wait for a new window to show a document, and how often it is looked at. */
export const POPUP_MS = { shown: 5_000, look: 20 } as const;
/** How long a page may be idle, how long it is until it is idle, and how often to look whether it is parsed, in ms. */
export const IDLE_MS = { most: 50, delay: 1, parsed: 10 } as const;

/** Browsers: longest waits, in real ms. */
export const BROWSER_MS = {
  /** For one to start, and for one to open a context and a page. */
  start: 30_000,
  open: 30_000,
  /** For one to close before its processes are killed. */
  close: 2_000,
  /** For a run's context to close, and how often to look for its pages' processes. */
  context: 1_000,
  look: 5,
  /** How long one waits for the next run of its account. */
  spare: 30_000,
  /** How long a connection waits for a request that names its host. Browsers connect ahead of requests. */
  named: 5_000,
  /**
   * The shortest time between two looks at memory and files, each of which takes a millisecond of CPU time; and after how
   * long a page that is still open is told again to close.
   */
  check: 200,
} as const;

/** For servers that respond faster than this, loading pages ahead costs more than it saves. */
export const WORTHWHILE_MS = 20;
/** The longest time for pages by HTTP that no page in the browser has confirmed. */
export const UNCONFIRMED_MS = 20_000;

/** Longest time for a file of a row, in real ms: files of 100 MB come over slow lines. And waits before it is tried again. */
export const FILE_MS = 120_000;
export const FILE_BACKOFF_MS = [500, 2_000];

/** Waits for politeness. */
export const POLITE_MS = {
  /** A longer wait is left to a later execution: minutes of waiting would be paid for. */
  longest: 60_000,
  /** A page that takes no longer than this does not say that its host is overloaded. */
  slow: 2_000,
  /** For a robots.txt. */
  robots: 10_000,
} as const;
/** The longest Crawl-delay that is respected: `delay_ms` can ask for more. */
export const CRAWL_DELAY_MAX_MS = 30_000;
/** Extra time for work that should have ended with the budget. */
export const GRACE_MS = 1_000;
/** A timeout that was limited by the budget may fire so much before the budget is used up. */
export const TOLERANCE_MS = 50;
