import type { Alert } from "../../contract/hooks/hook.ts";
import { moodOf } from "../alert.ts";
import { cut } from "../text.ts";
import type { Posting } from "./posting.ts";

/*
 * https://docs.ntfy.sh/publish/#publish-as-json: the message goes to the root of the server, and names the topic. So no
 * text gets into a header. A message of more than 4,096 bytes would become an attachment.
 */
const MESSAGE_MAX_BYTES = 4_096;
const TITLE_MAX = 250;
/** 4 makes a sound and vibrates, 3 is the default, 2 is silent. */
const priorities = { bad: 4, good: 3, neutral: 2 } as const;
const tags = { bad: ["warning"], good: ["white_check_mark"], neutral: [] } as const;

/** `address`: the server and the topic, such as https://ntfy.sh/alerts?auth=…. */
export function ntfyMessage(alert: Alert, address: string): Posting {
  const { title, message, url } = alert.data;
  const server = new URL(address);
  const topic = server.pathname.slice(1);
  server.pathname = "/";
  const mood = moodOf(alert);
  const body = {
    topic,
    title: cut(title, TITLE_MAX),
    // A UTF-16 unit takes up to three bytes.
    message: cut(message, Math.floor(MESSAGE_MAX_BYTES / 3)),
    priority: priorities[mood],
    tags: tags[mood],
    ...(url !== null && { click: url }),
  };
  return { url: server.href, body };
}
