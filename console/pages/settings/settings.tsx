import { type AccountView, api } from "../../api/api.ts";
import { serviceFacts } from "../../api/service-facts.ts";
import { refusalOf } from "../../api/session.ts";
import { useLoad } from "../../api/use-load.ts";
import { CreditBars } from "../../charts/credit-bars.tsx";
import { operatorCommand, quoted } from "../../format/command.ts";
import { bytes, count, counted } from "../../format/numbers.ts";
import { duration, exactTime } from "../../format/time.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { AuditLog } from "./audit-log.tsx";
import { Hooks } from "./hooks.tsx";
import { Secrets } from "./secrets.tsx";
import { Sessions } from "./sessions.tsx";

/** The settings page: the account, its hooks, sessions, secrets and audit log, and the commands for what the API does not offer. */
export function Settings() {
  const { data, error, reload } = useLoad((signal) => api.account(signal), []);
  return (
    <Page title="Settings">
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="the account" lines={8} />}
      {data !== undefined && <Account account={data} />}
      <Hooks />
      <Sessions />
      {serviceFacts().setsSecrets && <Secrets />}
      {refusalOf("write") === undefined && <AuditLog />}
      <Section title="Managed by the operator">
        <p class="lead">
          These are not part of the API, so that a stolen key can’t create further keys. Whoever runs the
          service manages them on its machine, or with the credentials of its AWS account.
        </p>
        <ul class="commands">
          {commandsFor(data?.name ?? "default").map((command) => (
            <Command key={command.title} {...command} />
          ))}
        </ul>
      </Section>
    </Page>
  );
}

function Account({ account }: { account: AccountView }) {
  const { name, id, credits, running, rate_limit, limits, features, version } = account;
  return (
    <>
      <div class="columns even">
        <Section title="Account">
          <dl class="pairs card">
            <dt>Name</dt>
            <dd>{name}</dd>
            {id !== name && (
              <>
                <dt>Id</dt>
                <dd class="mono">{id}</dd>
              </>
            )}
            <dt>Credits this month</dt>
            <dd>
              {count(credits.used)}{" "}
              {credits.limit === null ? "used, without a limit" : `of ${count(credits.limit)}`}
            </dd>
            <dt>The count restarts</dt>
            <dd>{exactTime(credits.resets_at)}</dd>
            <dt>Running now</dt>
            <dd>{running === null ? "Being counted" : counted(running, "run")}</dd>
            <dt>Version</dt>
            <dd>{version}</dd>
          </dl>
        </Section>
        <Section title="Limits">
          <dl class="pairs card">
            <dt>Requests per key</dt>
            <dd>
              {count(rate_limit.requests)} in {counted(rate_limit.seconds, "second")}
            </dd>
            <dt>Rows per run</dt>
            <dd>{count(limits.rows_per_run)}</dd>
            <dt>Duration of a run</dt>
            <dd>{duration(limits.run_seconds * 1_000)}</dd>
            <dt>Size of a request</dt>
            <dd>{bytes(limits.body_bytes)}</dd>
            <dt>Features</dt>
            <dd>{features.join(", ").replaceAll("_", " ")}</dd>
          </dl>
        </Section>
      </div>
      <CreditBars />
    </>
  );
}

interface CommandProps {
  title: string;
  text: string;
  command: string;
}

/** The commands for an account. */
function commandsFor(account: string): CommandProps[] {
  const of = `--account ${quoted(account)}`;
  const commands = COMMANDS.filter(({ title }) => !(serviceFacts().setsSecrets && title === SECRETS));
  return commands.map(({ command, ...rest }) => ({
    ...rest,
    command: operatorCommand(command.replace("ACCOUNT", of)),
  }));
}

const SECRETS = "Secrets";
const COMMANDS: readonly CommandProps[] = [
  {
    title: "API keys",
    text: "Create one for each person and program, and revoke it when it is not needed any more.",
    command: "npx gleaner key create ACCOUNT --label laptop",
  },
  {
    title: SECRETS,
    text: "Passwords for sites. Scrapers use them as {{secret:name}}, and nobody can read them again.",
    command: "npx gleaner secret set shop_password --host shop.example.com",
  },
  {
    title: "Webhook secret",
    text: "Signs webhooks, so that your receiver knows that they are genuine.",
    command: "npx gleaner webhook secret ACCOUNT",
  },
  {
    title: "Proxies",
    text: "A file with the upstream proxies that scrapers can ask for.",
    command: "npx gleaner start --proxies proxies.json",
  },
];

function Command({ title, text, command }: CommandProps) {
  return (
    <li class="card command">
      <div>
        <h3>{title}</h3>
        <p class="soft">{text}</p>
      </div>
      <CommandLine command={command} what={`the command for ${title}`} />
    </li>
  );
}
