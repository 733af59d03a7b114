import type { Transporter } from "nodemailer";
import * as v from "valibot";
import { abortable } from "../../abortable.ts";
import { validate } from "../../contract/validate.ts";
import { EgressError } from "../egress-error.ts";
import type { PostAnswer } from "./post-json.ts";

const ADDRESS = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/;

/** Whether a text is one e-mail address, without a name. */
export const isEmailAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text);

const text = (message: string) =>
  v.pipe(v.string(message), v.minLength(1, message), v.maxLength(1_000, message));
const FROM = "must be an e-mail address, such as alerts@example.com";

/** The operator's mail server. All messages are custom, because valibot's own messages quote the input. */
const SmtpSettings = v.pipe(
  v.strictObject(
    {
      host: text("must be the name of the mail server"),
      port: v.optional(
        v.pipe(
          v.number("must be a number"),
          v.integer("must be a whole number"),
          v.minValue(1, "must be a port"),
          v.maxValue(65_535, "must be a port"),
        ),
        587,
      ),
      user: v.optional(text("must be a user name")),
      password: v.optional(text("must be a password")),
      from: v.pipe(v.string(FROM), v.check(isEmailAddress, FROM)),
      /** `none`: messages cross the network unencrypted. */
      tls: v.optional(v.picklist(["required", "none"], "must be required or none"), "required"),
    },
    "must be an object with host, from and, where the server wants them, user and password",
  ),
  v.check(
    ({ user, password }) => (user === undefined) === (password === undefined),
    "must have both user and password, or neither",
  ),
  v.check(
    ({ tls, password }) => tls === "required" || password === undefined,
    "must not have a password with tls: none, because it would cross the network unencrypted",
  ),
);
export type SmtpSettings = v.InferOutput<typeof SmtpSettings>;

/**
 * Parses the operator's mail server from JSON. No message quotes it.
 * @throws ValidationError with every problem
 */
export function parseSmtpSettings(json: string): SmtpSettings {
  let settings: unknown;
  try {
    settings = JSON.parse(json);
  } catch {
    // Without the cause, because the parser's message quotes the input.
    return validate(v.never("must be JSON"), json);
  }
  return validate(SmtpSettings, settings);
}

export interface Mail {
  /** Identifies the message; the same for all attempts to send it. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/**
 * Sends a message. The answer has the reply of the mail server, whose 250 says that it has accepted the message, and whose
 * replies from 500 on say that it never will.
 * @throws EgressError `connect_failed` or `timeout`
 */
export type SendMail = (mail: Mail) => Promise<PostAnswer>;

/** Port of SMTP that begins with TLS. On other ports, the client asks for TLS (STARTTLS). */
const TLS_PORT = 465;

export function createMailer(settings: SmtpSettings, timeoutMs = 15_000): SendMail {
  const { from } = settings;
  return async ({ id, to, subject, text }) => {
    const start = performance.now();
    const transport = await open(settings, timeoutMs);
    const answer = (status: number, body: string): PostAnswer => ({
      status,
      body,
      durationMs: Math.round(performance.now() - start),
    });
    try {
      const sent = transport.sendMail({
        // An object, so that no text is read as a list of addresses.
        from: { name: "Gleaner", address: from },
        to: { name: "", address: to },
        subject,
        text,
        messageId: `<${id}@${from.split("@")[1]}>`,
        // Nothing answers automatically (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { response } = await abortable(sent, AbortSignal.timeout(timeoutMs));
      return answer(Number(response.slice(0, 3)) || 250, response);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw toEgressError(error, timeoutMs);
      return answer(refusal.status, refusal.response);
    } finally {
      transport.close();
    }
  };
}

async function open(settings: SmtpSettings, timeoutMs: number): Promise<Transporter<{ response: string }>> {
  const { host, port, user, password, tls } = settings;
  // Imported on first use, because most processes send no e-mail.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host,
    port,
    secure: tls === "required" && port === TLS_PORT,
    requireTLS: tls === "required",
    ignoreTLS: tls === "none",
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
}

interface SmtpError {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** The server's refusal of the receiver or of the message; undefined if the server refused something else, or did not answer. */
function refusalOf(error: unknown): { status: number; response: string } | undefined {
  const { command, response, responseCode } = error as SmtpError;
  const isOfMessage = command === "RCPT TO" || command === "DATA";
  if (!isOfMessage || responseCode === undefined || response === undefined) return undefined;
  return { status: responseCode, response };
}

/** Nothing of the server's credentials is in the message. */
function toEgressError(error: unknown, timeoutMs: number): EgressError {
  const { code = "unknown error", responseCode } = error as SmtpError;
  if ((error as Error).name === "TimeoutError" || code === "ETIMEDOUT")
    return new EgressError("timeout", `The mail server did not accept the message within ${timeoutMs} ms`);
  const why: Record<string, string> = {
    EAUTH:
      "The mail server refused the user name or the password. The operator of the service can correct them",
    ETLS: "The mail server offers no valid TLS, which is required. The operator of the service can correct its settings",
  };
  const reply = responseCode === undefined ? code : `${code}, ${responseCode}`;
  return new EgressError("connect_failed", why[code] ?? `The mail server could not be used: ${reply}`);
}
