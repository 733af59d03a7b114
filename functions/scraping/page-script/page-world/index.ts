/**
 * Adapts browser functions that use real time to a page whose clock is ahead. This runs in the world of the page's own
 * scripts.
 */
import "./frames.ts";
import "./idle.ts";
import "./shared-workers.ts";
import "./work.ts";
