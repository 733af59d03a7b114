import { Console } from "node:console";
import { PassThrough } from "node:stream";
import { Logger } from "@aws-lambda-powertools/logger";
import { describe, expect, jest, test } from "@jest/globals";
import { newApiKey } from "../../functions/accounts/api-key-format.ts";
import { redactField, redactText } from "../../functions/redact.ts";
import { newWebhookSecret } from "../../functions/webhooks/signature.ts";
import { jsonLog } from "../../local/json-log.ts";

describe("a text", () => {
  test.each([
    ["http://user:p@ss:w@proxy.example:8000/x", "http://***@proxy.example:8000/x"],
    ["via socks5://user:pass@10.0.0.1:1080 failed", "via socks5://***@10.0.0.1:1080 failed"],
    ["https://b.s3.example/k?X-Amz-Date=1&X-Amz-Signature=ab#f", "https://b.s3.example/k?***#f"],
    ["https://x.example/?sv=1&sig=a%2Fb", "https://x.example/?***"],
    ["https://x.example/?access_token=abc", "https://x.example/?***"],
    ["https://cdn.example/?Policy=p&Key-Pair-Id=K1", "https://cdn.example/?***"],
    ["/v1/runs?api_key=abc", "/v1/runs?***"],
    ["authorization: Bearer abc.def-ghi", "authorization: ***"],
    ['{"Authorization":"Basic dXNlcg==","a":1}', '{"Authorization":"***","a":1}'],
    ["sent Bearer abc.def-ghi to it", "sent Bearer *** to it"],
    ["cookie: sid=abc; other=d", "cookie: ***"],
  ])("%s", (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test("loses keys and webhook secrets wherever they stand", () => {
    const { key } = newApiKey();
    const secret = newWebhookSecret();
    expect(redactText(`<${key}> "${secret}"`)).toBe('<glr_***> "whsec_***"');
    expect(redactText('{"id":"a","ticket":"ticket_a-b_C9"}')).toBe('{"id":"a","ticket":"ticket_***"}');
  });

  test("of any length and content takes no long search", () => {
    const parts = [
      "a.",
      "a-",
      "a+",
      "a",
      "://",
      "a://",
      "?",
      "?a&",
      "&a",
      "a@",
      "cookie ",
      "cookie:",
      "authorization \n",
    ];
    parts.push(
      "Bearer  ",
      "Basic%20",
      "glr_",
      "whsec_",
      "ticket_",
      " \\",
      "?sig",
      "?x-amz-",
      "?_key",
      "?pair_id",
      "\ud800",
    );
    // 64 million comparisons where a search is quadratic, for each of these.
    for (const part of parts) {
      const redacted = redactText(`${part.repeat(500_000 / part.length)} http://user:hunter2@proxy.example`);
      expect({ part, hidden: !redacted.includes("hunter2") }).toEqual({ part, hidden: true });
    }
  });

  test.each([
    "https://books.example/fiction?page=2&sort=price#top",
    "Is it there? Yes: mail a@books.example, or see https://books.example/@author",
    "The step could not be carried out. Check the key and the token.",
  ])("is left as it is where there is nothing to hide: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("a log entry", () => {
  const { key } = newApiKey();
  const planted = ["hunter2", "whsec_abc", key, "pr0xy-pass", "s1gned"];
  const error = new Error(`refused ${key}`, {
    cause: new Error("http://u:pr0xy-pass@proxy.example/", {
      cause: new Error("https://x.example/?sig=s1gned"),
    }),
  });
  const fields = {
    runId: "run-1",
    error,
    request: { headers: { Authorization: "hunter2", cookie: "hunter2" }, list: [{ deep: `Bearer ${key}` }] },
    webhook: { secrets: ["whsec_abc"], url: "https://x.example/?token=hunter2" },
  };
  const check = (line: string) => {
    expect(JSON.parse(line)).toMatchObject({ message: "Failed with glr_***", runId: "run-1" });
    expect(line).toContain("proxy.example");
    for (const value of planted) expect(line).not.toContain(value);
  };

  test("of the local service has nothing secret, however deep", () => {
    const write = jest.spyOn(console, "error").mockImplementation(() => {});
    try {
      jsonLog.error(`Failed with ${key}`, fields);
      check(String(write.mock.calls[0]?.[0]));
    } finally {
      write.mockRestore();
    }
  });

  test("of the functions on AWS has neither", async () => {
    const logger = new Logger({ jsonReplacerFn: redactField });
    const output = new PassThrough();
    // Powertools keeps its console to itself; it can't be handed one.
    Reflect.set(logger, "console", new Console(output, output));
    logger.error(`Failed with ${key}`, fields);
    check(String(output.read()));
  });
});
