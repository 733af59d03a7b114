import { filledInTexts, textsWithSecrets } from "../contract/secrets/secret-references.ts";
import { fillIn, secretsIn, withoutReferences } from "../contract/secrets/secret-syntax.ts";
import { EVIDENCE_CUT_AT, RunFailure } from "../runs/failure.ts";
import type { Batch, BatchFile, Scrape, ScrapeJob, SecretResolver } from "../scraping/job.ts";
import type { CaptureRequest } from "../scraping/page/pictures/capture.ts";
import { belongsTo, hostOf } from "./hosts.ts";
import { codeOf } from "./one-time-code.ts";
import { SecretSearch } from "./search.ts";
import type { Secret, SecretReader } from "./secret.ts";

/**
 * Adds an account's secrets to the engine. They are filled in at the last moment and removed from all results: rows,
 * checkpoints, warnings, failures with their causes, and evidence. So nothing that is stored, sent or logged contains a secret.
 * @throws RunFailure `secret_unavailable` before a page is loaded, if the account has no such secret
 */
export const withSecrets = (scrape: Scrape, read: SecretReader, account: string): Scrape =>
  async function* scrapeWithSecrets(job, context) {
    const { access, steps, pagination, session } = job;
    const used = textsWithSecrets({ ...access, steps, pagination, session }).flatMap(secretsIn);
    if (used.length === 0) return yield* scrape(job, context);
    const names = [...new Set(used)];
    const secrets = await read(account, names);
    for (const name of names) if (!secrets.has(name)) throw unknown(name, account, job);

    await using search = new SecretSearch(secrets);
    const { resolver, wasUsed } = createSecretResolver(secrets, job, search);
    const hiddenCapture = ({ onCapture, ...capture }: CaptureRequest): CaptureRequest => ({
      ...capture,
      findSecrets: () => (wasUsed() ? (texts) => search.indexesIn(texts) : undefined),
      onCapture: async (page) => onCapture({ ...page, ...(await search.hiddenCapture(page)) }),
    });
    const { onStep } = context;
    const stepOnPage = async (index: number, url: string | null) => onStep?.(index, await search.hidden(url));
    const batches = scrape(job, {
      ...context,
      secrets: resolver,
      ...(onStep && { onStep: stepOnPage }),
      ...(context.capture && { capture: hiddenCapture(context.capture) }),
    });
    try {
      for (;;) {
        const next = await batches.next();
        if (next.done) return await search.hideIn(next.value);
        yield await hidden(next.value, search);
      }
    } catch (error) {
      if (error instanceof RunFailure && error.evidence !== undefined) {
        const { screenshot, ...texts } = error.evidence;
        // The screenshot may show the value, and can't be searched for it.
        const picture = screenshot && !wasUsed() && { screenshot };
        error.evidence = { ...(await search.hidden(texts, [EVIDENCE_CUT_AT])), ...picture };
      }
      throw await search.hideIn(error);
    } finally {
      await batches.return("handover");
    }
  };

const addressOf = ({ pagination }: ScrapeJob) => (pagination.type === "url_template" ? pagination.url : "");

async function hidden(
  { rows, checkpoint, files, warnings, ...rest }: Batch,
  search: SecretSearch,
): Promise<Batch> {
  const url = checkpoint.url === undefined ? {} : { url: withoutReferences(checkpoint.url) };
  return {
    ...rest,
    ...(await search.hidden({ rows, checkpoint: { ...checkpoint, ...url } })),
    ...(files && { files: await withoutSecrets(files, search) }),
    // Like messages of failures, they quote pages.
    ...(warnings && { warnings: await search.hideIn(warnings.map((warning) => ({ ...warning }))) }),
  };
}

/** Files without secrets in what comes from pages and servers. Their digits and keys are no text that could have one. */
async function withoutSecrets(files: readonly BatchFile[], search: SecretSearch): Promise<BatchFile[]> {
  const shown = await search.hidden(
    files.map(({ url, name, content }) => ({
      url,
      name,
      said: "error" in content ? content.error : content.type,
    })),
  );
  return files.map((file, index) => {
    const { url, name, said } = shown[index] as (typeof shown)[number];
    const content = "error" in file.content ? { error: said } : { ...file.content, type: said };
    // A reference to a secret is no name of a file.
    return { ...file, url, name: name === file.name ? name : "file", content };
  });
}

function createSecretResolver(
  secrets: ReadonlyMap<string, Secret>,
  job: ScrapeJob,
  search: SecretSearch,
): { resolver: SecretResolver; wasUsed: () => boolean } {
  // Only the scraper's own hosts: overrides can't add another host (see runs/overrides).
  const steps = [...job.steps, ...(job.session?.steps ?? [])];
  const visited = [...steps.flatMap((step) => (step.type === "visit" ? [step.url] : [])), addressOf(job)]
    .map(hostOf)
    .filter((host) => host !== "");
  let used = false;
  let onFirstUse = () => {};

  const mayGo = (name: string, address: string) => {
    const { hosts = [] } = secrets.get(name) ?? {};
    return belongsTo(hosts.length > 0 ? hosts : visited, address);
  };
  const valueFor = (name: string, address: string) => {
    const { value, hosts } = secrets.get(name) ?? { value: "", hosts: [] };
    if (!mayGo(name, address)) throw misplaced(name, hosts, address);
    if (!used) {
      used = true;
      onFirstUse();
    }
    return value;
  };
  /** Those that must not go there. */
  const notFor = (address: string) => [...secrets.keys()].filter((name) => !mayGo(name, address));
  /** Those that a page may have and that must not go there. It can't have a secret that was not used yet. */
  const keptFrom = (address: string) => (used ? notFor(address) : []);
  const resolver: SecretResolver = {
    url(template) {
      const address = fillIn(template, (name) => encodeURIComponent(secrets.get(name)?.value ?? ""));
      for (const name of secretsIn(template)) valueFor(name, address);
      return address;
    },
    text: (template, address) =>
      fillIn(template, (name, kind) => {
        const value = valueFor(name, address);
        return kind === "totp" ? codeOf(name, value) : value;
      }),
    async refusal({ url, headers, body }) {
      // A body that can't be read is a stream. What a page writes to it later, nothing shows before it is sent.
      const kept = body === undefined ? notFor(url) : keptFrom(url);
      if (kept.length === 0) return undefined;
      const texts = [url, ...headers, ...(body ? [body.toString(), body.toString("utf16le")] : [])];
      const carried = body && (await search.carriedBy(texts));
      const name = carried === undefined ? kept[0] : kept.find((each) => carried.has(each));
      return name === undefined ? undefined : misplaced(name, secrets.get(name)?.hosts ?? [], url);
    },
    isKeptFrom: (address) => keptFrom(address).length > 0,
    onFirstUse(listener) {
      onFirstUse = listener;
    },
    socketRefusal(address) {
      const [name] = keptFrom(address);
      if (name === undefined) return undefined;
      return `A WebSocket to ${hostOf(address)} was closed: the secret "${name}" ${whereTo(secrets.get(name)?.hosts ?? [])}. If rows depend on what comes from there, set the secret again with \`--host\` for each of its hosts.`;
    },
  };
  return { resolver, wasUsed: () => used };
}

function unknown(name: string, account: string, job: ScrapeJob): RunFailure {
  const step = job.steps.findIndex((one) =>
    filledInTexts(one).some((text) => secretsIn(text).includes(name)),
  );
  return new RunFailure(
    "secret_unavailable",
    `The account has no secret "${name}". Ask the operator of the service to set it, on AWS with \`--stack\`: \`npx gleaner secret set ${name} --account ${account}\`. Then run the scraper again.`,
    step < 0 ? {} : { step },
  );
}

const whereTo = (hosts: readonly string[]) =>
  hosts.length > 0
    ? `may go to ${hosts.join(", ")} only`
    : "names no hosts, so it may go only to those that the scraper's steps visit";

function misplaced(name: string, hosts: readonly string[], address: string): RunFailure {
  const host = hostOf(address) || "a page without an address";
  return new RunFailure(
    "secret_unavailable",
    `The secret "${name}" was not sent to ${host}: it ${whereTo(hosts)}. If that host is right, set the secret again with \`--host\` for each of its hosts.`,
  );
}
