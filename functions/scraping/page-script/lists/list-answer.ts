/// <reference lib="dom" />
import { pageState } from "../page-state.ts";
import type { Json, TakeAnswer } from "../protocol.ts";

export const listAnswer = (state: TakeAnswer["state"], more: Partial<TakeAnswer> = {}): Json<TakeAnswer> => {
  const answer: TakeAnswer = {
    state,
    ...pageState(),
    windowed: false,
    gap: false,
    isUnfilled: false,
    unseen: false,
    elsewhere: [],
    cells: [],
    rest: 0,
    url: location.href,
    content: "",
    kept: null,
    target: null,
    after: "none",
    loading: document.readyState === "loading",
    ...more,
  };
  return JSON.stringify(answer);
};
