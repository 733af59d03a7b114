import type { Alert, HookFormat } from "../../contract/hooks/hook.ts";
import { discordMessage } from "./discord.ts";
import { ntfyMessage } from "./ntfy.ts";
import type { Posting } from "./posting.ts";
import { slackMessage } from "./slack.ts";
import { teamsMessage } from "./teams.ts";

/** How an alert is written for each service. `url`: the address of the hook. */
export const formats: Record<
  Exclude<HookFormat, "standard" | "email">,
  (alert: Alert, url: string) => Posting
> = {
  slack: (alert, url) => ({ url, body: slackMessage(alert) }),
  discord: (alert, url) => ({ url, body: discordMessage(alert) }),
  teams: (alert, url) => ({ url, body: teamsMessage(alert) }),
  ntfy: ntfyMessage,
};
