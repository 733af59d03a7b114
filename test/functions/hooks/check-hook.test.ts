import { describe, expect, test } from "@jest/globals";
import { readHookRequest } from "../../../functions/api/hooks/read-hook-request.ts";
import { ValidationError } from "../../../functions/contract/validate.ts";

const problems = (body: object, allowHosts: string[] = []) => {
  try {
    readHookRequest({ events: ["run.finished"], ...body }, { allowHosts, sendsMail: true });
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    throw error;
  }
  return [];
};
const TOKEN = "a".repeat(24);

describe("addresses as the services give them", () => {
  test.each([
    ["standard", "https://example.org/hook?x=1"],
    ["standard", "http://example.org:8080/"],
    ["slack", `https://hooks.slack.com/services/T0001/B0001/${TOKEN}`],
    ["discord", `https://discord.com/api/webhooks/123456789012345678/${TOKEN}`],
    ["discord", `https://discordapp.com/api/v10/webhooks/123456789012345678/${TOKEN}`],
    [
      "teams",
      "https://prod-12.westeurope.logic.azure.com:443/workflows/abc/triggers/manual/paths/invoke?sig=x",
    ],
    [
      "teams",
      "https://default1.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/abc/triggers/manual/paths/invoke?sig=x",
    ],
    ["teams", "https://contoso.webhook.office.com/webhookb2/abc@def/IncomingWebhook/ghi/jkl"],
    ["email", "mailto:ops@example.org"],
    ["ntfy", "https://ntfy.sh/my-alerts_1"],
    ["ntfy", "http://ntfy.example.org/a?auth=QmVhcmVyIHg"],
  ])("%s %s", (format, url) => {
    expect(problems({ format, url })).toEqual([]);
  });
});

describe("mistyped addresses", () => {
  test.each([
    ["slack", "http://hooks.slack.com/services/T0001/B0001/x", "must begin with https://"],
    ["slack", `https://hook.slack.com/services/T0001/B0001/${TOKEN}`, "hooks.slack.com/services"],
    ["slack", `https://hooks.slack.com/service/T0001/B0001/${TOKEN}`, "hooks.slack.com/services"],
    ["slack", `https://hooks.slack.com/services/T0001/B0001`, "hooks.slack.com/services"],
    [
      "slack",
      `https://hooks.slack.com.evil.example/services/T0001/B0001/${TOKEN}`,
      "hooks.slack.com/services",
    ],
    ["discord", `https://discord.com/webhooks/123456789012345678/${TOKEN}`, "discord.com/api/webhooks"],
    ["teams", "https://evillogic.azure.com.example/workflows/x", "workflow"],
    ["teams", "https://logic.azure.com.evil.example/workflows/x", "workflow"],
    ["ntfy", "https://ntfy.sh/", "topic"],
    ["ntfy", "https://ntfy.sh/a/b", "topic"],
    ["ntfy", "https://ntfy.sh/with space", "topic"],
    ["email", "ops@example.org", "mailto:"],
    ["email", "mailto:a@example.org?bcc=b@example.org", "mailto:"],
    ["standard", "ftp://example.org/", "http:// or https://"],
    ["standard", "https://user:password@example.org/", "without a user name"],
    ["standard", "example.org", "http:// or https://"],
    ["standard", "https://169.254.169.254/latest", "public"],
    ["ntfy", "http://10.0.0.1/topic", "public"],
  ])("%s %s", (format, url, message) => {
    expect(problems({ format, url })).toEqual([{ path: "url", message: expect.stringContaining(message) }]);
  });

  test("a host that the operator allows may take the place of a service, and be private", () => {
    expect(problems({ format: "slack", url: "http://127.0.0.1:9000/hooks/x" }, ["127.0.0.1:9000"])).toEqual(
      [],
    );
    expect(
      problems({ format: "slack", url: "http://127.0.0.1:9001/hooks/x" }, ["127.0.0.1:9000"]),
    ).toHaveLength(1);
  });
});

test("e-mail needs a mail server of the operator", () => {
  const read = () =>
    readHookRequest(
      { url: "mailto:ops@example.org", format: "email", events: ["run.finished"] },
      { allowHosts: [], sendsMail: false },
    );
  expect(read).toThrow("has not set up a mail server");
});

test("all problems come at once", () => {
  const found = problems({
    url: "https://example.org/x",
    format: "slack",
    events: ["run.finished", "run.finish", "run.finished"],
    scraperid: "x",
    scraper_id: "x".repeat(101),
  });
  expect(found.map(({ path }) => path).toSorted()).toEqual(["events[1]", "scraper_id", "scraperid", "url"]);
});

test.each([
  [{ url: "https://example.org/", format: "standard", events: [] }, "events"],
  [{ url: "https://example.org/", format: "standard", events: ["run.finished", "run.finished"] }, "events"],
  [{ url: "https://example.org/", format: "smoke" }, "format"],
  [{ url: "https://example.org/{{secret:x}}", format: "standard" }, "url"],
  [{ url: `https://example.org/${"x".repeat(2_000)}`, format: "standard" }, "url"],
  [{ format: "standard" }, "url"],
  [{ url: "https://example.org/\uD800", format: "standard" }, "url"],
])("%j", (body, path) => {
  expect(problems(body)).toEqual([expect.objectContaining({ path })]);
});
