/// <reference lib="dom" />
/**
 * Removes shared workers, which browsers on Android don't have either, so that pages work without them. The engine can't
 * know when such a worker is done: it belongs to no page, runs in real time, and its requests are not a page's requests.
 */
Reflect.deleteProperty(window, "SharedWorker");
