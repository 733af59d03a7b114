import type { Alert } from "../../contract/hooks/hook.ts";
import { cut } from "../text.ts";

/*
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and
 * https://docs.slack.dev/reference/block-kit/blocks: a header has up to 150 characters, the text of a section up to 3,000.
 */
const HEADER_MAX = 150;
const TEXT_MAX = 3_000;

/** Texts of pages are in plain_text objects, in which Slack reads no mentions, links or formatting. */
export function slackMessage({ data: { title, message, url } }: Alert): object {
  const plain = (text: string, max: number) => ({ type: "plain_text", text: cut(text, max), emoji: false });
  return {
    // Shown in notifications. Unlike the blocks, it is read as mrkdwn.
    text: cut(escaped(title), TEXT_MAX),
    blocks: [
      { type: "header", text: plain(title, HEADER_MAX) },
      { type: "section", text: plain(message, TEXT_MAX) },
      ...(url === null
        ? []
        : [{ type: "section", text: { type: "mrkdwn", text: `<${linkOf(url)}|Open in Gleaner>` } }]),
    ],
    unfurl_links: false,
  };
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping. Without these, there are no mentions or links. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const linkOf = (url: string): string => escaped(url).replaceAll("|", "%7C");
