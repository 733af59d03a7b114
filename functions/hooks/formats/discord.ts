import type { Alert } from "../../contract/hooks/hook.ts";
import { type Mood, moodOf } from "../alert.ts";
import { cut } from "../text.ts";

/*
 * https://docs.discord.com/developers/resources/webhook#execute-webhook and
 * https://docs.discord.com/developers/resources/message#embed-object-embed-limits: the title of an embed has up to 256
 * characters, its description up to 4,096.
 */
const TITLE_MAX = 256;
const DESCRIPTION_MAX = 4_096;

const colors: Record<Mood, number> = { bad: 0xd1242f, good: 0x1a7f37, neutral: 0x57606a };

export function discordMessage(alert: Alert): object {
  const { title, message, url } = alert.data;
  // The link is a part of the text, because Discord refuses an embed whose url has a host without a dot.
  const link = url === null ? "" : `\n${url}`;
  return {
    embeds: [
      {
        title: escaped(title, TITLE_MAX),
        description: escaped(message, DESCRIPTION_MAX - link.length) + link,
        color: colors[moodOf(alert)],
        timestamp: alert.timestamp,
      },
    ],
    // No mention in a text notifies anybody.
    allowed_mentions: { parse: [] },
  };
}

/** Cut before it is escaped, so that no escape is cut in half. Escapes at most double the length. */
const escaped = (text: string, max: number): string => {
  const all = withEscapes(text);
  return all.length <= max ? all : withEscapes(cut(text, Math.floor(max / 2)));
};

/** Markdown, mentions, links and time stamps begin with one of these. A zero-width space ends what looks like an address. */
const withEscapes = (text: string): string =>
  text.replaceAll(/[\\*_~`|<>[\]()#@-]/g, "\\$&").replaceAll("://", ":\u200B//");
