import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, chown, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "../../../verify-aws/tools.ts";

/** PostgreSQL refuses to run as root. This is the user nobody, of every Linux. */
const NOBODY = 65_534;
const TLS = join(import.meta.dirname, "..", "..", "..", "site", "tls");

export const PASSWORD = 'a:password \'of "many" signs';

/** A PostgreSQL of this machine, in a folder of its own. Its user `postgres` may do everything, by PASSWORD. */
export async function startPostgres() {
  const bin = globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
  if (bin === undefined)
    throw new Error(
      "There is no PostgreSQL in /usr/lib/postgresql. Install it, on Debian by `apt-get install -y postgresql`.",
    );
  const folder = await mkdtemp(join(tmpdir(), "gleaner-postgres-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const own = async (path: string) => {
    if (isRoot) await chown(path, NOBODY, NOBODY);
  };
  await own(folder);
  const password = join(folder, "password");
  await writeFile(password, PASSWORD);
  await own(password);
  const init = ["-D", data, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${password}`];
  execFileSync(join(bin, "initdb"), [...init, "-E", "UTF8", "--locale=C", "--no-sync"], {
    ...as,
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const name of ["certificate.pem", "key.pem"]) {
    await copyFile(join(TLS, name), join(data, name));
    await chmod(join(data, name), 0o600);
    await own(join(data, name));
  }
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    ssl: "on",
    ssl_cert_file: "certificate.pem",
    ssl_key_file: "key.pem",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(bin, "postgres"), ["-D", data, ...options], {
    ...as,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const log: string[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface({ input: server.stderr }).on("line", (line) => {
    log.push(line);
    if (line.includes("ready to accept connections")) ready.resolve();
  });
  const ended = once(server, "close");
  ended.then(() => ready.reject(new Error(`PostgreSQL did not start:\n${log.join("\n")}`)));
  await ready.promise;
  return {
    port,
    /** Ends all connections and the server. */
    async stop() {
      server.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
