import { exampleScraper } from "../examples.ts";
import type { Alert, Hook, HookAlert } from "./hook.ts";

export const exampleHookRequest = {
  url: "https://hooks.example.com/alerts",
  format: "standard",
  events: ["scraper.failing", "scraper.recovered"],
};

export const exampleHook: Hook = {
  id: "0199a3f2-7a10-7c11-8d0a-5be01f6a0001",
  url: "https://hooks.example.com/alerts",
  format: "standard",
  events: ["scraper.failing", "scraper.recovered"],
  scraper_id: null,
  disabled: null,
  created_at: "2030-01-15T09:00:00.000Z",
};

export const exampleHookAlert: HookAlert = {
  id: "0199a3f2-7a10-7c11-8d0a-5be01f6a0002",
  event: "scraper.failing",
  created_at: "2030-01-30T10:00:02.000Z",
  state: "delivered",
  next_attempt_at: null,
  attempts: [{ at: "2030-01-30T10:00:02.100Z", status: 204, duration_ms: 87, answer: "" }],
};

export const exampleAlert: Alert = {
  type: "scraper.failing",
  timestamp: "2030-01-30T10:00:02.000Z",
  data: {
    title: "“Books” is failing",
    message:
      "Since 2030-01-30 10:00 UTC: No element matches the selector .book. (element_not_found) The last good run ended at 2030-01-29 10:00 UTC. There is no further alert until it recovers.",
    url: "https://gleaner.example.com/runs/0199a3f2-7a10-7d52-9c1e-d18c2e280003",
    scraper: { id: exampleScraper.id, name: "Books" },
    run: {
      id: "0199a3f2-7a10-7d52-9c1e-d18c2e280003",
      status: "failed",
      row_count: 0,
      error: { code: "element_not_found", message: "No element matches the selector .book.", step: 1 },
      warnings: [],
      changes: null,
      created_at: "2030-01-30T10:00:00.000Z",
      finished_at: "2030-01-30T10:00:02.000Z",
    },
    batch: null,
    credits: null,
    since: "2030-01-30T10:00:02.000Z",
    last_good_at: "2030-01-29T10:00:03.000Z",
  },
};
