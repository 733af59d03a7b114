import { engine } from "./engine.ts";

/** The engine, which reads pages of a list by HTTP where that gives the same rows. */
export const contestant = engine({ engine: "auto" });
