import type { Alert } from "../../contract/hooks/hook.ts";
import { type Mood, moodOf } from "../alert.ts";

/*
 * https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook: a
 * workflow takes a message with an Adaptive Card as its attachment. Runs of text are not read as Markdown; the text of a
 * TextBlock would be.
 */
const colors: Record<Mood, string> = { bad: "Attention", good: "Good", neutral: "Default" };

export function teamsMessage(alert: Alert): object {
  const { title, message, url } = alert.data;
  const text = (text: string, style: object) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, ...style }],
  });
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            text(title, { weight: "Bolder", size: "Medium", color: colors[moodOf(alert)] }),
            text(message, {}),
          ],
          ...(url !== null && { actions: [{ type: "Action.OpenUrl", title: "Open in Gleaner", url }] }),
        },
      },
    ],
  };
}
