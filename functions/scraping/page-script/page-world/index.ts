/// <reference lib="dom" />
/**
 * Adapts browser functions that use real time to a page whose clock is ahead, and opens closed shadow roots. This runs in
 * the world of the page's own scripts.
 */
import "./closed-roots.ts";
import "./idle.ts";
import "./work.ts";

/*
 * Pages work without shared workers, because browsers on Android don't have them either. The engine can't know when such a
 * worker is done: it belongs to no page, runs in real time, and its requests are not a page's requests.
 */
Reflect.deleteProperty(window, "SharedWorker");
