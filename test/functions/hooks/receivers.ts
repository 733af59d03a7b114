import * as v from "valibot";

/* What the services accept, by their documentation. Anything else is refused, as they do. */

const wellFormed = v.check((text: string) => text.isWellFormed(), "is not Unicode");
const text = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max), wellFormed);
const link = v.pipe(v.string(), v.url());

/** https://docs.slack.dev/reference/block-kit/blocks and /composition-objects/text-object */
const PlainText = (max: number) =>
  v.strictObject({ type: v.literal("plain_text"), text: text(max), emoji: v.optional(v.boolean()) });
const Mrkdwn = v.strictObject({ type: v.literal("mrkdwn"), text: text(3_000) });
const Slack = v.strictObject({
  text: text(40_000),
  blocks: v.pipe(
    v.array(
      v.variant("type", [
        v.strictObject({ type: v.literal("header"), text: PlainText(150) }),
        v.strictObject({
          type: v.literal("section"),
          text: v.variant("type", [PlainText(3_000), Mrkdwn]),
        }),
      ]),
    ),
    v.maxLength(50),
  ),
  unfurl_links: v.optional(v.boolean()),
});
export const acceptSlack = (body: unknown) => v.parse(Slack, overJson(body));

/** https://docs.discord.com/developers/resources/webhook and /message#embed-object */
const Embed = v.strictObject({
  title: text(256),
  description: text(4_096),
  color: v.pipe(v.number(), v.integer(), v.maxValue(0xffffff)),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
});
const Discord = v.strictObject({
  content: v.optional(text(2_000)),
  embeds: v.pipe(
    v.array(Embed),
    v.minLength(1),
    v.maxLength(10),
    v.check(
      (embeds) =>
        embeds.reduce((sum, { title, description }) => sum + title.length + description.length, 0) <= 6_000,
      "has more than 6,000 characters",
    ),
  ),
  allowed_mentions: v.strictObject({ parse: v.array(v.picklist(["roles", "users", "everyone"])) }),
});
export const acceptDiscord = (body: unknown) => v.parse(Discord, overJson(body));

/** https://adaptivecards.io/explorer/ and the limits of Teams: 28 KB */
const TextRun = v.strictObject({
  type: v.literal("TextRun"),
  text: v.pipe(v.string(), v.minLength(1), wellFormed),
  weight: v.optional(v.picklist(["Lighter", "Default", "Bolder"])),
  size: v.optional(v.picklist(["Small", "Default", "Medium", "Large", "ExtraLarge"])),
  color: v.optional(v.picklist(["Default", "Dark", "Light", "Accent", "Good", "Warning", "Attention"])),
});
const Card = v.strictObject({
  $schema: v.string(),
  type: v.literal("AdaptiveCard"),
  version: v.literal("1.4"),
  body: v.array(v.strictObject({ type: v.literal("RichTextBlock"), inlines: v.array(TextRun) })),
  actions: v.optional(
    v.array(v.strictObject({ type: v.literal("Action.OpenUrl"), title: v.string(), url: link })),
  ),
});
const Teams = v.strictObject({
  type: v.literal("message"),
  attachments: v.pipe(
    v.array(
      v.strictObject({
        contentType: v.literal("application/vnd.microsoft.card.adaptive"),
        contentUrl: v.null(),
        content: Card,
      }),
    ),
    v.length(1),
  ),
});
export const acceptTeams = (body: unknown) => {
  if (Buffer.byteLength(JSON.stringify(body)) > 28_000) throw new Error("The message is too large.");
  return v.parse(Teams, overJson(body));
};

/** https://docs.ntfy.sh/publish/#publish-as-json; a longer message becomes an attachment */
const Ntfy = v.strictObject({
  topic: v.pipe(v.string(), v.regex(/^[-_A-Za-z0-9]{1,64}$/)),
  title: text(250),
  message: v.pipe(
    text(4_096),
    v.check((message) => Buffer.byteLength(message) <= 4_096, "is longer than 4,096 bytes"),
  ),
  priority: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
  tags: v.array(v.string()),
  click: v.optional(link),
});
export const acceptNtfy = (body: unknown) => v.parse(Ntfy, overJson(body));

const overJson = (body: unknown): unknown => JSON.parse(JSON.stringify(body));
