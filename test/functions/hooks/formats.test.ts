import { describe, expect, test } from "@jest/globals";
import type { AlertFacts, AlertType } from "../../../functions/contract/hooks/hook.ts";
import { HOOK_EVENTS } from "../../../functions/contract/hooks/hook-words.ts";
import { alertOf } from "../../../functions/hooks/alert.ts";
import { discordMessage } from "../../../functions/hooks/formats/discord.ts";
import { ntfyMessage } from "../../../functions/hooks/formats/ntfy.ts";
import { slackMessage } from "../../../functions/hooks/formats/slack.ts";
import { teamsMessage } from "../../../functions/hooks/formats/teams.ts";
import { noFacts } from "../../../functions/hooks/no-facts.ts";
import { acceptDiscord, acceptNtfy, acceptSlack, acceptTeams } from "./receivers.ts";

const AT = "2026-11-21T06:10:30.000Z";
const ID = "0199a3f2-7a10-7d52-9c1e-d18c2e280003";
/** What a page or a person could choose to be read as something else. */
const HOSTILE =
  "<!channel> @everyone <@123> *b* _i_ `c` ~s~ ||x|| [click](https://evil.example) https://evil.example\r\nBcc: x@evil.example \u202Egnp\u2066";

const facts = (text: string): AlertFacts => ({
  ...noFacts({ id: ID, name: text }),
  run: {
    id: ID,
    status: "failed",
    row_count: 0,
    error: { code: "element_not_found", message: text, step: 1 },
    warnings: [{ code: "rows_fewer_than_usual", message: text, step: null }],
    changes: { new: 2, changed: 0, removed: 1 },
    created_at: AT,
    finished_at: AT,
  },
  batch: { id: ID, total: 3, successful: 2, warned: 1, failed: 1, row_count: 20, finished_at: AT },
  credits: { used: 90, limit: 100 },
  since: AT,
  last_good_at: "2026-11-20T06:10:00.000Z",
});
const alert = (event: AlertType, text = "Books", console: string | undefined = "https://gleaner.example") =>
  alertOf(
    {
      account: "a",
      id: ID,
      hook_id: ID,
      event,
      facts: facts(text),
      created_at: AT,
      expires_at: 0,
      undelivered: true,
    },
    console,
  );

describe("what an alert says", () => {
  test("which scraper, what happened, since when, and where to look", () => {
    expect(alert("scraper.failing").data).toMatchObject({
      title: "“Books” is failing",
      message:
        "Since 2026-11-21 06:10 UTC: Books (element_not_found) The last good run ended at 2026-11-20 06:10 UTC. There is no further alert until it recovers.",
      url: `https://gleaner.example/runs/${ID}`,
    });
    expect(alert("scraper.recovered").data).toMatchObject({
      title: "“Books” works again",
      message:
        "The run that ended at 2026-11-21 06:10 UTC has 0 rows and 1 warning. It had been failing since 2026-11-21 06:10 UTC.",
    });
    expect(alert("batch.finished").data).toMatchObject({
      message:
        "It ended at 2026-11-21 06:10 UTC. Of 3 inputs: 2 inputs successful (1 with warnings), 1 failed. It has 20 rows.",
      url: `https://gleaner.example/batches/${ID}`,
    });
    expect(alert("run.changed").data).toMatchObject({
      title: "“Books” has changed: 2 new, 1 removed",
      url: `https://gleaner.example/runs/${ID}`,
    });
    expect(alert("credits.low").data).toMatchObject({
      title: "10 credits left this month",
      url: "https://gleaner.example/settings",
    });
  });

  test("that a scraper is signed out, and how to sign in", () => {
    const message =
      'The session "shop" is signed out. Sign in by hand with `npx gleaner session sign-in shop https://shop.example/`.';
    const run = {
      ...facts("").run,
      error: { code: "session_expired", message, step: 0 },
    } as AlertFacts["run"];
    const expired = alertOf(
      { ...stored, event: "scraper.failing", facts: { ...facts("Orders"), run } },
      undefined,
    );
    expect(expired.data.title).toBe("“Orders” is signed out");
    expect(expired.data.message).toContain(`Since 2026-11-21 06:10 UTC: ${message} (session_expired)`);
  });

  test("a service without a console gives no link", () => {
    expect(alertOf({ ...stored, event: "run.finished" }, undefined).data.url).toBeNull();
  });
});

const stored = {
  account: "a",
  id: ID,
  hook_id: ID,
  facts: facts("Books"),
  created_at: AT,
  expires_at: 0,
  undelivered: true as const,
};
const events: AlertType[] = [...HOOK_EVENTS, "hook.test"];
const texts = { plain: "Books", hostile: HOSTILE, long: "🧵<&*".repeat(3_000), broken: "a\uD800b\u0000" };
const all = events.flatMap((event) => Object.entries(texts).map(([name, text]) => ({ event, name, text })));

describe.each(all)("$event, $name text", ({ event, text }) => {
  test.each([true, false])("each receiver takes it; with a console: %s", (hasConsole) => {
    const given = alert(event, text, hasConsole ? "http://127.0.0.1:4000/" : undefined);
    acceptSlack(slackMessage(given));
    acceptDiscord(discordMessage(given));
    acceptTeams(teamsMessage(given));
    const { url, body } = ntfyMessage(given, "https://ntfy.example/my-alerts?auth=x");
    expect(url).toBe("https://ntfy.example/?auth=x");
    expect(body).toMatchObject({ topic: "my-alerts" });
    acceptNtfy(body);
  });
});

describe("text that a page has chosen stays text", () => {
  const hostile = alert("scraper.failing", HOSTILE);

  test("in Slack, only the link of the service is read as mrkdwn", () => {
    const { text, blocks } = acceptSlack(slackMessage(hostile));
    expect(text).not.toMatch(/<[^>]*>/);
    const read = blocks.filter((block) => block.text?.type === "mrkdwn");
    expect(read).toEqual([
      {
        type: "section",
        text: { type: "mrkdwn", text: `<https://gleaner.example/runs/${ID}|Open in Gleaner>` },
      },
    ]);
  });

  test("in Discord, every character that begins something is escaped, and nobody is mentioned", () => {
    const { embeds, allowed_mentions } = acceptDiscord(discordMessage(hostile));
    expect(allowed_mentions).toEqual({ parse: [] });
    const [{ title = "", description = "" } = {}] = embeds;
    for (const text of [title, description.split("\n")[0] ?? ""]) {
      expect(text.replaceAll(/\\./g, "")).not.toMatch(/[*_~`|<>[\]()#@]/);
      expect(text).not.toContain("://");
    }
  });

  test("no line break or direction gets through", () => {
    const { title, message } = hostile.data;
    expect(`${title}${message}`).not.toMatch(/[\r\n\u202E\u2066]/);
  });
});
