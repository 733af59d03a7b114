import { engine } from "./engine.ts";

/** The engine without a held layout: it holds back the layout only of pages whose list is the next step. */
export const contestant = engine({ steps: [{ type: "wait", value: 1 }] });
