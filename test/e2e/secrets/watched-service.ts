import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../../../functions/contract/runs/run.ts";
import { getRun } from "../../../functions/store/runs/runs.ts";
import { withService } from "../../../local/connect.ts";
import { CommandLine, type Finished } from "../command-line.ts";

export interface WatchedOptions {
  /** `host:port`s that may be scraped. */
  hosts: readonly string[];
  /** The operator's proxies. */
  proxies: readonly object[];
  /** The query of the receiver's address. */
  query: string;
}

/** The service and a receiver of webhooks, with all that comes out of them kept. */
export class WatchedService {
  readonly folder: string;
  readonly commands = new CommandLine();
  /** All that came out, by the way that it took. */
  readonly sinks = {
    "service's output": [] as string[],
    "command line": [] as string[],
    responses: [] as string[],
    webhooks: [] as string[],
  };
  deliveries = 0;
  /** Deliveries that the receiver still refuses. */
  refusals = 1;
  apiKey = "";
  readonly #options: WatchedOptions;
  readonly #receiver: Server;
  #process: Awaited<ReturnType<CommandLine["start"]>> | undefined;

  private constructor(folder: string, options: WatchedOptions) {
    this.folder = folder;
    this.#options = options;
    this.#receiver = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      this.sinks.webhooks.push(JSON.stringify(request.headers) + body);
      this.deliveries += 1;
      response.writeHead(this.refusals-- > 0 ? 500 : 200).end(body);
    });
  }

  static async start(options: WatchedOptions): Promise<WatchedService> {
    const folder = await mkdtemp(join(tmpdir(), "gleaner-planted-"));
    // Where the key that encrypts the secrets is made.
    process.env.XDG_CONFIG_HOME = join(folder, "config");
    const watched = new WatchedService(folder, options);
    await once(watched.#receiver.listen(0, "127.0.0.1"), "listening");
    await writeFile(watched.#proxies, JSON.stringify(options.proxies), { mode: 0o600 });
    await watched.start();
    // A key of its own: the first one is shown by the first start, as it has to be.
    const create = ["key", "create", "--account", "default", "--json", "--data", watched.data];
    watched.apiKey = JSON.parse((await watched.commands.gleaner(...create).finished).stdout).key;
    return watched;
  }

  get data(): string {
    return join(this.folder, "data");
  }

  get receiverUrl(): string {
    const { port } = this.#receiver.address() as AddressInfo;
    return `http://127.0.0.1:${port}/hook?${this.#options.query}`;
  }

  get #proxies(): string {
    return join(this.folder, "proxies.json");
  }

  async start(): Promise<void> {
    const hosts = [...this.#options.hosts, new URL(this.receiverUrl).host];
    const allowed = hosts.flatMap((host) => ["--allow-host", host]);
    this.#process = await this.commands.start("--data", this.data, "--proxies", this.#proxies, ...allowed);
  }

  async stop(): Promise<void> {
    this.#process?.child.kill("SIGTERM");
    const said = await this.#process?.child.finished;
    this.sinks["service's output"].push(`${said?.stdout}${said?.stderr}`);
  }

  /** Runs the command line with something on standard input. */
  async line(input: string, ...args: string[]): Promise<Finished> {
    const finished = await this.commands.gleanerWith(input, ...args, "--data", this.data).finished;
    this.sinks["command line"].push(finished.stdout + finished.stderr);
    return finished;
  }

  /** One request. */
  async call<T = Run>(
    path: string,
    { key = this.apiKey, ...init }: RequestInit & { key?: string } = {},
  ): Promise<{ status: number; body: T }> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const response = await fetch(this.#process?.url + path, { ...init, headers });
    const text = await response.text();
    this.sinks.responses.push(`${JSON.stringify([...response.headers])}${text}`);
    return { status: response.status, body: JSON.parse(text) };
  }

  post(body: object): Promise<{ status: number; body: Run }> {
    return this.call("/v1/runs", { method: "POST", body: JSON.stringify(body) });
  }

  /** Starts a run and waits until it has ended. */
  async run(scraper_id: string): Promise<Run> {
    return this.finished((await this.post({ scraper_id })).body.id);
  }

  /** A run as it is when it has left `running`. */
  async finished(id: string): Promise<Run> {
    const ref = { account: "default", id };
    const stored = () => withService({ data: this.data }, (table) => getRun(table, ref));
    while ((await stored())?.status === "running") await sleep(100);
    return (await this.call(`/v1/runs/${id}`)).body;
  }

  async close(): Promise<void> {
    await this.commands.close();
    this.#receiver.close();
    this.#receiver.closeAllConnections();
    await rm(this.folder, { recursive: true });
  }
}
