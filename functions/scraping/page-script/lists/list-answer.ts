/// <reference lib="dom" />
import { pageState } from "../page-state.ts";
import type { Json, ListAnswer } from "../protocol.ts";

export const listAnswer = (state: ListAnswer["state"], more: Partial<ListAnswer> = {}): Json<ListAnswer> => {
  const answer: ListAnswer = {
    state,
    ...pageState(),
    windowed: false,
    hasGap: false,
    isUnfilled: false,
    hasUnseen: false,
    lazyImages: [],
    doubts: { several: [], shifted: 0 },
    cells: [],
    rest: 0,
    url: location.href,
    content: "",
    storageState: null,
    target: null,
    pressResult: "none",
    ...more,
  };
  return JSON.stringify(answer);
};
