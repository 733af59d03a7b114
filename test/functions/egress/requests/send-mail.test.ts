import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, describe, expect, test } from "@jest/globals";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { ValidationError } from "../../../../functions/contract/validate.ts";
import {
  createMailer,
  isEmailAddress,
  parseSmtpSettings,
} from "../../../../functions/egress/requests/send-mail.ts";
import { emailMessage, receiverOf } from "../../../../functions/hooks/formats/email.ts";
import { certificate } from "../../../site/tls/certificate.ts";

// They are those of the process, in which other test files run afterwards.
const trusted = getCACertificates();
setDefaultCACertificates([...trusted, certificate.cert.toString()]);
afterAll(() => setDefaultCACertificates(trusted));

const servers: SMTPServer[] = [];
afterAll(() => Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve)))));

/** A mail server on loopback that keeps what it accepts. */
async function startServer(options: SMTPServerOptions = {}) {
  const received: { to: string[]; text: string; secure: boolean; user: unknown }[] = [];
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    closeTimeout: 1,
    onAuth: ({ username, password }, _session, done) =>
      password === "right" ? done(null, { user: username }) : done(new Error("Wrong password")),
    onRcptTo: ({ address }, _session, done) => {
      const refusals: Record<string, number> = { "nobody@example.org": 550, "busy@example.org": 450 };
      const code = refusals[address];
      done(code === undefined ? null : Object.assign(new Error("Not here"), { responseCode: code }));
    },
    onData: async (stream, { envelope, secure, user }, done) => {
      const text = Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString();
      received.push({ to: envelope.rcptTo.map(({ address }) => address), text, secure, user });
      done(null);
    },
    ...options,
  });
  server.on("error", () => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.server.address() as AddressInfo;
  servers.push(server);
  return { received, settings: { host: "127.0.0.1", port, from: "alerts@example.org" } };
}

const mail = { id: "0199", to: "ops@example.org", subject: "“Books” is failing", text: "Since noon." };

describe("a message", () => {
  test("is sent with TLS and the operator's password", async () => {
    const { received, settings } = await startServer({ authOptional: false });
    const send = createMailer({ ...settings, user: "gleaner", password: "right", tls: "required" });
    expect(await send(mail)).toMatchObject({ status: 250 });
    expect(received).toMatchObject([{ to: ["ops@example.org"], secure: true, user: "gleaner" }]);
    const { text = "" } = received[0] ?? {};
    expect(text).toContain("From: Gleaner <alerts@example.org>");
    expect(text).toContain("Message-ID: <0199@example.org>");
    expect(text).toContain("Auto-Submitted: auto-generated");
    expect(text).toContain("Since noon.");
  });

  test("never crosses the network unencrypted, unless the operator says so", async () => {
    const { received, settings } = await startServer({ hideSTARTTLS: true, disabledCommands: ["STARTTLS"] });
    await expect(createMailer({ ...settings, tls: "required" })(mail)).rejects.toThrow(
      "The mail server offers no valid TLS",
    );
    expect(received).toEqual([]);
    expect(await createMailer({ ...settings, tls: "none" })(mail)).toMatchObject({ status: 250 });
    expect(received).toMatchObject([{ secure: false }]);
  });

  test("has no other header, receiver or part than ours, whatever its texts are", async () => {
    const { received, settings } = await startServer();
    const subject = "a\r\nBcc: x@evil.example\r\n\r\nBody";
    await createMailer({ ...settings, tls: "required" })({
      ...mail,
      subject,
      text: "\r\n.\r\nRCPT TO:<x@evil.example>",
    });
    expect(received).toMatchObject([{ to: ["ops@example.org"] }]);
    const [head = ""] = received[0]?.text.split("\r\n\r\n") ?? [];
    expect(head.split("\r\n").filter((line) => /^bcc/i.test(line))).toEqual([]);
  });
});

describe("what the mail server does not take", () => {
  test("a receiver that does not exist is a final reply, one that is busy is not", async () => {
    const { settings } = await startServer();
    const send = createMailer({ ...settings, tls: "required" });
    expect(await send({ ...mail, to: "nobody@example.org" })).toMatchObject({
      status: 550,
      body: "550 Not here",
    });
    expect(await send({ ...mail, to: "busy@example.org" })).toMatchObject({ status: 450 });
  });

  test("a wrong password is told without it", async () => {
    const { settings } = await startServer({ authOptional: false });
    const send = createMailer({ ...settings, user: "gleaner", password: "wrong", tls: "required" });
    const error = await send(mail).catch((error: Error) => error);
    expect(error).toMatchObject({ name: "EgressError", code: "connect_failed" });
    expect(String(error)).toContain("refused the user name or the password");
    expect(String(error)).not.toContain("wrong");
  });

  test("a server that can't be reached, and one that never answers", async () => {
    const { settings } = await startServer();
    await expect(createMailer({ ...settings, port: 1, tls: "required" })(mail)).rejects.toMatchObject({
      name: "EgressError",
      code: "connect_failed",
    });
    const silent = await startServer({ onRcptTo: () => {} });
    await expect(createMailer({ ...silent.settings, tls: "required" }, 300)(mail)).rejects.toMatchObject({
      name: "EgressError",
      code: "timeout",
    });
  });
});

describe("settings", () => {
  const problems = (settings: unknown) => {
    try {
      parseSmtpSettings(typeof settings === "string" ? settings : JSON.stringify(settings));
    } catch (error) {
      if (error instanceof ValidationError) return error;
      throw error;
    }
    return undefined;
  };
  const valid = { host: "smtp.example.org", from: "alerts@example.org" };

  test("have TLS and the port of submission by default", () => {
    expect(parseSmtpSettings(JSON.stringify(valid))).toEqual({ ...valid, port: 587, tls: "required" });
  });

  test.each([
    ["not JSON", "hunter2", "must be JSON"],
    ["no host", { from: valid.from }, "host: is required"],
    ["a name in from", { ...valid, from: "Gleaner <alerts@example.org>" }, "e-mail address"],
    ["a password alone", { ...valid, password: "hunter2" }, "both user and password"],
    ["a password without TLS", { ...valid, user: "u", password: "hunter2", tls: "none" }, "unencrypted"],
    ["a port that is none", { ...valid, port: 0 }, "port"],
    ["an unknown field", { ...valid, pasword: "hunter2" }, "pasword"],
  ])("%s", (_name, settings, message) => {
    const error = problems(settings);
    expect(error?.message).toContain(message);
    expect(error?.message).not.toContain("hunter2");
  });
});

test.each([
  ["mailto:ops@example.org", "ops@example.org"],
  ["mailto:ops%2Bgleaner@example.org", "ops+gleaner@example.org"],
])("%s", (url, receiver) => {
  expect(receiverOf(url)).toBe(receiver);
  expect(isEmailAddress(receiver)).toBe(true);
});

test.each([
  "ops@example.org",
  "mailto:",
  "mailto:ops",
  "mailto:a@example.org,b@example.org",
  "mailto:a@example.org?bcc=b@example.org",
  "mailto:a%0d%0aBcc:b@example.org",
  "mailto:%",
  "mailto:<a@example.org>",
  "mailto:a@example.org%2Cb@example.org",
])("no receiver: %s", (url) => {
  expect(isEmailAddress(receiverOf(url) ?? "")).toBe(false);
});

test("an alert as a message: its title is the subject, its link the last line", () => {
  const data = { title: "T", message: "M", url: "https://gleaner.example/runs/1" };
  const alert = { type: "run.finished", timestamp: "", data } as Parameters<typeof emailMessage>[0];
  expect(emailMessage(alert, "0199", "mailto:ops@example.org")).toEqual({
    id: "0199",
    to: "ops@example.org",
    subject: "T",
    text: "M\n\nhttps://gleaner.example/runs/1",
  });
});
