import type { CreateHookRequest, HookFormat } from "../contract/hooks/hook.ts";
import { isHttpUrl } from "../contract/http-url.ts";
import { targetName } from "../egress/policy/address-policy.ts";
import { isEmailAddress } from "../egress/requests/send-mail.ts";
import { receiverOf } from "./formats/email.ts";

const HTTP_URL = "must be an absolute http:// or https:// URL without a user name or password";

interface Service {
  /** Host names of the service. A name that begins with a dot also stands for all names that end with it. */
  hosts: readonly string[];
  path: RegExp;
  /** What a valid address looks like. */
  like: string;
}

/**
 * The services whose addresses are known, so that a mistyped one is found before an alert is lost. Paths:
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://docs.discord.com/developers/resources/webhook#execute-webhook.
 */
const services: Partial<Record<HookFormat, Service>> = {
  slack: {
    hosts: ["hooks.slack.com", "hooks.slack-gov.com"],
    path: /^\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{16,}$/,
    like: "https://hooks.slack.com/services/T…/B…/…",
  },
  discord: {
    hosts: ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"],
    path: /^\/api(\/v\d+)?\/webhooks\/\d{15,22}\/[\w-]{20,}$/,
    like: "https://discord.com/api/webhooks/ID/TOKEN",
  },
  teams: {
    hosts: [".logic.azure.com", ".api.powerplatform.com", ".webhook.office.com"],
    path: /^\/(?:powerautomate\/automations\/direct\/)?(?:workflows|webhookb2)\/./,
    like: "the address of a workflow, such as https://….logic.azure.com/workflows/…",
  },
};

/** The name of a topic: https://docs.ntfy.sh/publish/. */
const NTFY_TOPIC = /^\/[-\w]{1,64}$/;

/**
 * What is wrong with the address of a hook; undefined: nothing. `allowHosts`: `host:port` pairs that the operator allows.
 * These may take the place of a service, such as a chat that reads the messages of Slack.
 */
export function addressProblem(
  { url: address, format }: Pick<CreateHookRequest, "url" | "format">,
  allowHosts: readonly string[],
): string | undefined {
  if (format === "email")
    return isEmailAddress(receiverOf(address) ?? "")
      ? undefined
      : "must be mailto: and one address, such as mailto:ops@example.com";
  if (!isHttpUrl(address)) return HTTP_URL;
  const url = new URL(address);
  if (format === "ntfy" && !NTFY_TOPIC.test(url.pathname))
    return "must be a server and a topic of up to 64 letters, digits, _ and -, such as https://ntfy.sh/my-alerts";
  const service = services[format];
  if (service === undefined || allowHosts.includes(targetName(url))) return undefined;
  if (url.protocol !== "https:") return "must begin with https://";
  const isOfService = service.hosts.some((host) =>
    host.startsWith(".") ? url.hostname.endsWith(host) : url.hostname === host,
  );
  if (isOfService && service.path.test(url.pathname)) return undefined;
  return `is not an address of this format: it must be ${service.like}. Copy it again`;
}
