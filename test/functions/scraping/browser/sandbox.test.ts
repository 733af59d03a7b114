import { execFile, execFileSync } from "node:child_process";
import { chownSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { createBrowsers } from "../../../../functions/scraping/browser/browsers.ts";
import { newFolder } from "../../../new-folder.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const program = join(import.meta.dirname, "sandbox-of-user.ts");

let home: string;
beforeAll(async () => {
  home = await newFolder();
  if (isRoot) chownSync(home, NOBODY, NOBODY);
});

/** Whether a command succeeds for a user who is not root. */
function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore", ...user });
    return true;
  } catch {
    return false;
  }
}

const linux = process.platform === "linux" && process.arch === "x64";
const isReadable = linux && succeeds("cat", program, process.execPath);
const allowsNamespaces = linux && succeeds("unshare", "--user", "--map-root-user", "--net", "true");
/** A namespace of users in which nobody can create another one. */
const WITHOUT_NAMESPACES = ["unshare", "--user", "--map-user=1000", "--keep-caps", "sh", "-c"];
const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" "$@"';
const canForbid = allowsNamespaces && succeeds(...wrapped("true"));

function wrapped(...command: string[]): [command: string, ...args: string[]] {
  const [unshare = "", ...args] = [...WITHOUT_NAMESPACES, forbid, ...command];
  return [unshare, ...args];
}

/** What the program tells, started by this command before it. */
async function tell(wrap: typeof wrapped = (command = "", ...args) => [command, ...args]) {
  const [command, ...args] = wrap(process.execPath, program, join(home, "cache"));
  const env = { HOME: home, TMPDIR: home, PATH: "/usr/bin:/bin" };
  const { stdout } = await promisify(execFile)(command, args, { env, cwd: home, ...user });
  return JSON.parse(stdout);
}

(isReadable && allowsNamespaces ? test : test.skip)(
  "a page is in Chromium's sandbox where the system allows it",
  async () => {
    const { why, text, renderers } = await tell();
    expect({ why, text }).toEqual({ text: "Page" });
    expect(renderers.length).toBeGreaterThan(0);
    for (const { capabilities } of renderers) expect(capabilities).toMatch(/^0+$/);
  },
);

(isReadable && canForbid ? test : test.skip)(
  "where the system does not allow it, the browser runs without it, and says why",
  async () => {
    expect(await tell(wrapped)).toEqual({
      why: "the system does not let this user create the namespaces that it needs",
      text: "Page",
      renderers: [],
    });
  },
);

(isRoot ? test : test.skip)("root gets no sandbox, and the browser says so", async () => {
  const browsers = createBrowsers({ cacheFolder: join(home, "unused"), egress: { allowHosts: [] } });
  expect(await browsers.whyNoSandbox()).toBe("the service runs as root");
  await browsers.close();
});
