import type { Alert } from "../../contract/hooks/hook.ts";
import type { Mail } from "../../egress/requests/send-mail.ts";
import { cut } from "../text.ts";

const SUBJECT_MAX = 200;

/** The receiver of a `mailto:` address; undefined for any other text, and for one with headers or several receivers. */
export function receiverOf(url: string): string | undefined {
  const [, encoded] = /^mailto:([^?,]+)$/i.exec(url) ?? [];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Plain text, so that nothing in it is a link or a picture. A title has no line breaks, which would begin another header. */
export const emailMessage = (alert: Alert, id: string, url: string): Mail => ({
  id,
  to: receiverOf(url) ?? "",
  subject: cut(alert.data.title, SUBJECT_MAX),
  text: [alert.data.message, ...(alert.data.url === null ? [] : [alert.data.url])].join("\n\n"),
});
