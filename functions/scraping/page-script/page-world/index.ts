/**
 * Adapts browser functions that use real time to a page whose clock is ahead, and opens closed shadow roots. This runs in
 * the world of the page's own scripts.
 */
import "./closed-roots.ts";
import "./frames.ts";
import "./idle.ts";
import "./shared-workers.ts";
import "./work.ts";
