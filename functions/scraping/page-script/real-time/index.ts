/**
 * What the browser does by real time, while the clock of a page is ahead of it. This runs in the world of the page's own
 * scripts.
 */
import "./frames.ts";
import "./idle.ts";
