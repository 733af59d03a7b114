import { engine } from "./engine.ts";

/** The engine without pages ahead: it loads one page at a time. */
export const contestant = engine({ concurrency: 1 });
