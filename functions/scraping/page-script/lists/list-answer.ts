/// <reference lib="dom" />
import { isPrompt } from "../promptness.ts";
import type { Json, TakeAnswer } from "../protocol.ts";
import { isStatic } from "../static.ts";

export const listAnswer = (state: TakeAnswer["state"], more: Partial<TakeAnswer> = {}): Json<TakeAnswer> => {
  const answer: TakeAnswer = {
    state,
    isStatic: isStatic(),
    isPrompt: isPrompt(),
    windowed: false,
    gap: false,
    cells: [],
    rest: 0,
    url: location.href,
    content: "",
    target: null,
    after: "none",
    loading: document.readyState === "loading",
    ...more,
  };
  return JSON.stringify(answer);
};
