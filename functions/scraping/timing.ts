/**
 * How long a page is given to come to rest. Times of the page are virtual; a page in real time has them in real time.
 */

/** How much of the page's time passes at once: what a timer does within it is waited for. */
export const AHEAD_MS = 5_000;
/** How long nothing may have changed at the end of it, in ms of the page's time. */
export const QUIET_MS = 2_000;
/** Time between two frames, in ms. */
export const FRAME_MS = 17;
/** The most rounds, and the most real time in ms, until a page counts as restless. */
export const ROUNDS = 12;
export const MOST_MS = 30_000;
/** How long the parser may take for a document whose transfer has broken off, in real ms. */
export const CUT_OFF_MS = 1_000;
/** The most frames of a page that asks for them without end: numbers may count up for as long. */
export const FRAMES = 160;
/** Frames of a new document that asks for one: what a library does in its next frame comes before timers that follow. */
export const FIRST_FRAMES = 8;
/** The most frames between two looks. */
export const FRAMES_AT_ONCE = 40;
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
export const IDLE = { quiet: 2, missing: 2 };
/** How much real time passes before a page that is at rest is given more of its own, in ms. */
export const MORE_MS = 250;
/** The most of these steps. */
export const STEPS = 120;
/** How much time a page with WebSockets or event streams may skip in all: their servers expect signs of life. */
export const CHANNEL_LEAD_MS = 10_000;

/** How often a jump that has not ended is looked at, in real ms. */
export const LOOK_MS = 20;
/** A page is stuck in a task if its time does not pass for this long, in real ms, although no request holds it. */
export const STUCK_MS = 8_000;
/** How often frames are drawn while something needs them, in real ms. */
export const PUMP_MS = 4;
/** How often a page in real time gets a frame, in ms. */
export const REAL_FRAME_MS = 30;
