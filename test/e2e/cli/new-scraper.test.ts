import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Scraper } from "../../../functions/contract/scrapers/scraper.ts";
import type { AccountView } from "../../../functions/contract/service-routes.ts";
import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { newFolder } from "../../new-folder.ts";
import { type Handler, sendHtml, startSite } from "../../site/site.ts";
import { CommandLine } from "../command-line.ts";
import { startWorld } from "../harness.ts";
import { rememberInspections } from "../remember-inspections.ts";
import { gleaner } from "./gleaner.ts";
import { items, paged } from "./lists.ts";

/* From an address to a scraper, as a person does it. */

const site = await startSite();
// Another port is another origin.
const other = await startSite();
const world = await startWorld({ allowHosts: [site.host, other.host] });
const dir = await newFolder();
const processes = new CommandLine();

const { fetch } = globalThis;
const remembered = rememberInspections<{ status: number; body: string }>(world.shopUrl);
globalThis.fetch = async (input, init) => {
  if (!String(input).endsWith("/v1/inspections")) return fetch(input, init);
  const ask = async () => {
    const response = await fetch(input, init);
    return { status: response.status, body: await response.text() };
  };
  const { status, body } = await remembered(String(init?.body), ask);
  return new Response(body, { status, headers: { "content-type": "application/json" } });
};
afterAll(async () => {
  globalThis.fetch = fetch;
  await processes.close();
  await world.stop();
  await site.close();
  await other.close();
});

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const books = `${world.shopUrl}/books`;
const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);
const typing = (answers: string[], ...args: string[]) =>
  gleaner([...args, "--data", world.data], {}, answers);
const stored = async (id: string) => (await world.call<Scraper>(`/v1/scrapers/${id}`)).body;
const scrapers = async () => (await world.call<{ data: Scraper[] }>("/v1/scrapers")).body.data.length;

const MENU =
  '<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">News</a></li><li><a href="/c">Contact</a></li></ul></nav>';
const LOGIN =
  '<form method="post"><label>Email <input name="email" type="email"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>';

describe("scraper new", () => {
  test("leads from an address without a scheme to a spreadsheet, with no file edited", async () => {
    const made = processes.gleaner("scraper", "new", books.replace("http://", ""), "--data", world.data);
    const said = await made.finished;
    expect(said.code).toBe(0);
    expect(said.stderr).toContain(`Using ${books}, because the address has no scheme.`);
    expect(said.stderr).toContain('"All books · Foxed & Bound" at');
    expect(said.stderr).toMatch(/List 1: 12 rows of \.book-card\n┌─.*\n│ title .*│ book_author .*│ price /);
    expect(said.stderr).toMatch(/│ The Odyssey +│ Homer +│/);
    expect(said.stderr).toContain("Using list 1. To use another one, add --list NUMBER.");
    expect(said.stderr).toContain("Page 2: 12 rows, all of them new\n");
    expect(said.stderr).toMatch(/Pagination: the control \[rel="next"\]\. A run stops at 1,000 rows\.\n/);
    const [, id = ""] = /^Stored the scraper "All books · Foxed & Bound" as (\S+)\n$/.exec(said.stdout) ?? [];
    const [, next = ""] = /Next: npx gleaner (run start \S+ --watch -o rows\.xlsx)/.exec(said.stderr) ?? [];
    expect(next).toContain(id);

    const file = join(dir, "rows.xlsx");
    const run = await cli(...next.replace("rows.xlsx", file).split(" "));
    expect(run).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Successful: 58 rows for 5 credits"),
    });
    expect(run.stdout).toContain(`Wrote ${file}: xlsx, 58 rows`);
    expect((await readFile(file)).subarray(0, 2).toString()).toBe("PK");
  });

  test("asks which list is wanted until it is told one", async () => {
    const said = await typing(["9", "x", "2"], "scraper", "new", books);
    expect(said.stderr).toContain("Which list do you want? [1 to 5, or q for none; Enter: 1] ");
    expect(said.stderr).toContain('"9" is none of these lists.');
    const { steps, pagination } = await stored(ID.exec(said.stdout)?.[0] ?? "");
    expect(steps[1]).toMatchObject({ selector: ".footer-columns section" });
    // The next link of the page belongs to another list.
    expect(pagination).toEqual({ type: "none" });
    expect(said.stderr).toContain('Left out the control [rel="next"]: it brought no new rows.');
    expect(said.stderr).toContain("Pagination: none.");
  });

  test("offers the JSON that the page carries, and says where it differs", async () => {
    const goods = ["Lamp", "Chair", "Table"].map((title, index) => ({
      sku: `FB-${index}`,
      title,
      price: 49.9 + index,
      stock: index,
    }));
    const shown = goods.map(
      ({ title, price, stock }) => `<li><b>${title}</b> <i>€${stock === 2 ? 9 : price}</i></li>`,
    );
    site.setRoute(
      "/goods",
      `<ul>${shown.join("")}</ul><script id="data" type="application/json">${JSON.stringify({ goods })}</script>`,
    );
    const said = await typing(["2j", "1j"], "scraper", "new", site.url("/goods"));
    expect(said.stderr).toContain("Which list do you want? [1, 1j, or q for none; Enter: 1] ");
    expect(said.stderr).toContain('"2j" is none of these lists.');
    expect(said.stderr).toContain(
      "List 1j: 3 rows from the JSON in script#data at $.goods[*]. 3 of the 3 rows of list 1 are among them.",
    );
    expect(said.stderr).toMatch(
      /The field \S+ differs in 1 row, such as "€9" on the page and "51.9" in the JSON\./,
    );
    const { steps } = await stored(ID.exec(said.stdout)?.[0] ?? "");
    expect(steps[1]).toMatchObject({
      json: { source: "script#data", path: "$.goods[*]" },
      fields: expect.arrayContaining([{ name: "sku", path: "$.sku" }]),
    });
    const unasked = await cli("scraper", "new", site.url("/goods"), "--from-json", "--json");
    expect(JSON.parse(unasked.stdout).steps[1]).toMatchObject({ json: { source: "script#data" } });
    expect(await cli("scraper", "new", books, "--list", "2", "--from-json")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The page carries no JSON with the rows of list 2"),
    });
  });

  test("begins with a kept sign-in, which the scraper has, too", async () => {
    site.setRoute("/orders", ({ headers }, response) =>
      sendHtml(
        response,
        headers.cookie?.includes("in=1")
          ? `<a href="/out">Sign out</a>${items(8)}`
          : `<p>Sign in first.</p>${items(3)}`,
      ),
    );
    const cookie = {
      name: "in",
      value: "1",
      domain: "127.0.0.1",
      path: "/",
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: "Lax",
    };
    await world.call("/v1/sessions/shop", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ cookies: [cookie], origins: [] }),
    });
    const said = await cli("scraper", "new", site.url("/orders"), "--session", "shop");
    expect(said.stderr).toContain('Session: shop, which is signed in if the page shows "Sign out".');
    expect(await stored(ID.exec(said.stdout)?.[0] ?? "")).toMatchObject({
      session: { name: "shop", check: { text: "Sign out" } },
    });
    expect(said.stderr).toContain("Page 1: 8 rows");
    const wrong = await cli(
      "scraper",
      "new",
      site.url("/orders"),
      "--session",
      "shop",
      "--check",
      "My orders",
    );
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the text "My orders" is missing'),
    });
    expect((await cli("scraper", "new", books, "--check", "x")).code).toBe(2);
  });

  test("stores nothing where none of the lists is wanted", async () => {
    const before = await scrapers();
    expect(await typing(["q"], "scraper", "new", books)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("Nothing was stored."),
    });
    expect(await scrapers()).toBe(before);
  });

  test("takes Enter for the first list, and --list and --yes for an answer", async () => {
    const byEnter = await typing([""], "scraper", "new", books, "--json");
    expect(JSON.parse(byEnter.stdout)).toMatchObject({ steps: [{}, { selector: ".book-card" }] });
    const byYes = await typing([], "scraper", "new", books, "--yes", "--json");
    expect(JSON.parse(byYes.stdout)).toMatchObject({ steps: [{}, { selector: ".book-card" }] });
    const byNumber = await typing([], "scraper", "new", books, "--list", "4", "--json", "--name", "Menu");
    expect(JSON.parse(byNumber.stdout)).toMatchObject({
      name: "Menu",
      steps: [{}, { selector: '[aria-label="Main"] li' }],
    });
    const none = await cli("scraper", "new", books, "--list", "6");
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("no list 6, only 5 lists") });
  });

  test("prints the stored scraper as JSON", async () => {
    const { stdout, code } = await cli("scraper", "new", books, "--json");
    const scraper: Scraper = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(scraper).toEqual(await stored(scraper.id));
  });

  test("writes a file instead, which check and put take, and asks before it replaces one", async () => {
    const before = await scrapers();
    const file = join(dir, "books.json");
    const said = await cli("scraper", "new", books, "-o", file);
    expect(said).toMatchObject({
      code: 0,
      stdout: `Wrote the scraper "All books · Foxed & Bound" to ${file}\n`,
    });
    expect(said.stderr).toContain(`Next: npx gleaner scraper put ${file}`);
    expect(await scrapers()).toBe(before);
    const text = await readFile(file, "utf8");
    expect(Object.keys(JSON.parse(text)).slice(0, 3)).toEqual(["name", "steps", "pagination"]);
    expect((await cli("scraper", "check", file)).code).toBe(0);
    expect((await cli("scraper", "put", file)).code).toBe(0);

    await writeFile(file, "mine");
    expect(await cli("scraper", "new", books, "-o", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect((await typing(["n"], "scraper", "new", books, "-o", file)).code).toBe(1);
    expect(await readFile(file, "utf8")).toBe("mine");
    const replaced = await cli("scraper", "new", books, "-o", file, "--yes", "--json");
    expect(JSON.parse(replaced.stdout)).toEqual(JSON.parse(await readFile(file, "utf8")));
    expect(await readFile(file, "utf8")).toBe(text);
  });

  test("does not open the page for a file that can't be written", async () => {
    const creditsUsed = async () => (await world.call<AccountView>("/v1/account")).body.credits.used;
    const before = await creditsUsed();
    const nowhere = join(dir, "none", "books.json");
    expect(await cli("scraper", "new", books, "-o", nowhere)).toMatchObject({
      code: 2,
      stderr: `There is no folder ${join(dir, "none")} for the file ${nowhere}. Create the folder, or name another one.\n`,
    });
    expect((await cli("scraper", "new", books, "-o", dir)).stderr).toBe(
      `${dir} is a folder. Name a file in it.\n`,
    );
    expect(await creditsUsed()).toBe(before);
  });

  test("waits for a list that the page's script shows after a while", async () => {
    site.setRoute("/data", (_, response) => void setTimeout(() => response.end("[]"), 500));
    const show = `document.body.innerHTML = ${JSON.stringify(items(30))}`;
    const later = `fetch("/data").then(() => setTimeout(() => { ${show} }, 1500))`;
    site.setRoute("/later", `<p>Loading</p><script>${later}</script>`);
    const said = await cli("scraper", "new", site.url("/later"));
    expect(said.stderr).toContain("List 1: 30 rows of li");
    expect(said.code).toBe(0);
  });

  test("proves a second page also where the first has more rows than an inspection shows", async () => {
    site.setRoute(
      "/long",
      paged("/long", (page) => items(70, page * 100)),
    );
    const said = await cli("scraper", "new", site.url("/long"));
    expect(said.stderr).toContain("Page 1: 70 rows\nPage 2: 70 rows, all of them new\n");
    expect(said.stderr).toContain('Page 2 begins with "Item 200".');
  });

  test("tries to scroll where no control goes on with the list", async () => {
    const add = "document.querySelector('ul').insertAdjacentHTML('beforeend', rows())";
    site.setRoute(
      "/endless",
      `<ul style="line-height: 60px"></ul><script>let next = 1; const rows = () => Array.from({ length: 20 }, () => "<li><b>Item " + next + "</b> <i>" + 3 * next++ + " EUR</i></li>").join(""); ${add}; addEventListener("scroll", () => { if (next < 100 && scrollY + innerHeight > document.body.scrollHeight - 100) ${add} })</script>`,
    );
    const said = await cli("scraper", "new", site.url("/endless"));
    expect(said.stderr).toContain("Page 1: 20 rows\nPage 2: 20 rows, all of them new\n");
    expect(said.stderr).toContain("Pagination: scrolling. A run stops at 1,000 rows.");
    const { pagination } = await stored(ID.exec(said.stdout)?.[0] ?? "");
    expect(pagination).toEqual({ type: "infinite_scroll" });
  });

  test("leaves out a pagination that brings the same rows again, and says so", async () => {
    site.setRoute(
      "/same",
      paged("/same", () => items(20)),
    );
    const said = await cli("scraper", "new", site.url("/same"));
    expect(said.stderr).toContain('Left out the control [rel="next"]: it brought no new rows.');
    expect((await stored(ID.exec(said.stdout)?.[0] ?? "")).pagination).toEqual({ type: "none" });
  });

  test("tells why the second page could not be read", async () => {
    site.setRoute("/robots.txt", (_, response) => void response.end("User-agent: *\nDisallow: /private"));
    site.setRoute("/first", `${items(20)}<a rel="next" href="/private">Next</a>`);
    const said = await cli("scraper", "new", site.url("/first"));
    expect(said.stderr).toMatch(/Left out the control \[rel="next"\]: .*robots\.txt/);
    expect(said.code).toBe(0);
  });

  site.setRoute("/article", "<h1>A story</h1><p>It has one part.</p>");
  site.setRoute("/blocked", (_, response) => sendHtml(response, "<h1>Access denied</h1>", 403));
  site.setRoute("/challenge", "<title>Just a moment...</title><p>Checking your browser</p>");
  site.setRoute("/empty", "");
  site.setRoute("/login", `${MENU}<h1>Sign in</h1>${LOGIN}`);
  site.setRedirect("/members", "/login");
  site.setRoute("/framed", '<iframe src="/article" style="width: 100%; height: 1000px"></iframe>');
  site.setRoute("/list", items(20));
  site.setRoute("/pdf", (_, response) => {
    response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF");
  });

  test.each([
    [
      "has no list",
      "/article",
      "The page shows no list. Check the address, or add steps that lead to the list",
    ],
    [
      "refuses the visit",
      "/blocked",
      "HTTP 403 Forbidden. The site requires a sign-in, or refuses automated visits",
    ],
    ["asks for a proof of a person", "/challenge", "Try again later, or through a proxy."],
    ["is empty", "/empty", "The page is empty. Check the address in a browser of your own."],
    ["asks to sign in", "/members", "Add steps that do so, with a secret for the password."],
    ["is a frame", "/framed", `Inspect the address of the frame instead: ${site.url("/article")}.`],
    ["is no HTML", "/pdf", "Check the address: only HTML pages, and documents of JSON, CSV"],
    ["does not exist", "/nowhere", "HTTP 404 Not Found. Check that the address is right"],
  ])("says what to do where the page %s", async (_, path, message) => {
    const before = await scrapers();
    const said = await cli("scraper", "new", site.url(path));
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(said.stderr).toContain("Nothing was stored.");
    expect(said.stderr).toContain(message);
    expect(await scrapers()).toBe(before);
  });

  test("leaves it to a person to take a list of a page that asks to sign in", async () => {
    const refused = await cli("scraper", "new", site.url("/login"));
    expect(refused.stderr).toContain("To use a list of this page anyway, add --list NUMBER.");
    expect((await cli("scraper", "new", site.url("/login"), "--list", "1")).code).toBe(0);
    const asked = await typing(["1"], "scraper", "new", site.url("/login"));
    expect(asked).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Warning: The page asks to sign in."),
    });
  });

  test("takes a list of a footer, such as below a search without results, only if told so", async () => {
    const before = await scrapers();
    const refused = await cli("scraper", "new", `${books}?q=zzzz`, "--yes");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("Nothing was stored. No main list was found");
    expect(refused.stderr).toContain("To use a list of this page anyway, add --list NUMBER.");
    expect(await scrapers()).toBe(before);
    expect((await cli("scraper", "new", `${books}?q=zzzz`, "--list", "1")).code).toBe(0);
  });

  test("warns of a page with more elements than proposals are made from", async () => {
    site.setRoute("/huge", items(20) + "<br>".repeat(20_000));
    const said = await cli("scraper", "new", site.url("/huge"));
    expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining("more than 20000 elements") });
  });

  test("names the option that allows a host of one's own", async () => {
    const said = await cli("scraper", "new", "localhost:8099");
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining("Using http://localhost:8099,") });
    expect(said.stderr).toContain("restart the service with --allow-host localhost:8099");
  });

  test("takes https for an address without a scheme, and names http where that fails", async () => {
    const said = await cli("scraper", "new", "shop.invalid/list");
    expect(said).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Using https://shop.invalid/list,"),
    });
    expect(said.stderr).toContain("enter http://shop.invalid/list");
  });

  test.each([
    "",
    "https://",
    "ftp://shop.example/",
    "mailto:shop@shop.example",
    "http://me:pw@shop.example/",
    "a shop",
  ])("%p is no address", async (text) => {
    expect(await cli("scraper", "new", text)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "is not the address of a web page. Write it as https://example.com/list",
      ),
    });
  });
});

/* Lists in the pages that frames show. Each scraper is made by the command line, and then run. */

const card = (name: string) =>
  `<article class="card"><h3>${name}</h3><p>It is made by hand and lasts a lifetime.</p><b>€${name.length}.00</b></article>`;
const cards = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => card(`Chair ${from + index + 1}`)).join("");
const pages =
  (path: string): Handler =>
  (request, response) => {
    const at = Number(new URL(request.url ?? "", "http://site").searchParams.get("p") ?? 1);
    const links = [1, 2, 3].map((n) => (n === at ? `<b>${n}</b>` : `<a href="${path}?p=${n}">${n}</a>`));
    sendHtml(response, `<!doctype html>${cards(at * 8 - 8, at * 8)}<p class=pager>${links.join(" ")}</p>`);
  };
const frame = (attributes: string) =>
  `<!doctype html><title>Chairs</title><nav><a href=/a>Home</a> <a href=/b>News</a></nav><iframe ${attributes} style="width:100%;height:700px;border:3px solid"></iframe>`;

site.setRoute("/chairs", pages("/chairs"));
site.setRoute("/boxed", frame(`name="shop" sandbox="allow-scripts" srcdoc='${cards(0, 24)}'`));
site.setRoute("/nested", frame(`class="outer" src="${other.url("/between")}"`));
other.setRoute("/between", frame(`class="inner" src="${site.url("/chairs")}"`));
site.setRoute(
  "/set",
  `<!doctype html><title>Chairs</title><frameset cols="20%,80%"><frame name="menu" src="/menu"><frame name="main" src="/chairs"></frameset>`,
);
site.setRoute("/menu", "<ul><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>Contact</a></ul>");
site.setRoute(
  "/beside",
  `<!doctype html><title>Chairs</title><main>${cards(0, 24)}</main><iframe src="/posts" style="width:300px;height:600px"></iframe>`,
);
site.setRoute(
  "/posts",
  Array.from(
    { length: 24 },
    (_, n) => `<div class=post><b>Post ${n}</b><p>${"Words about it. ".repeat(20)}</p></div>`,
  ).join(""),
);

test.each([
  ["with srcdoc, in a sandbox", "/boxed", ['[name="shop"]']],
  ["inside a frame of another origin", "/nested", [".outer", ".inner"]],
  ["of a frameset", "/set", ['[name="main"]']],
  ["that is an aside", "/beside", undefined],
])("the list in a frame %s is proposed, and read with all its pages", async (_, path, expected) => {
  const made = await cli("scraper", "new", site.url(path));
  expect({ code: made.code, said: made.stderr }).toMatchObject({ code: 0 });
  const { id, steps } = await stored(ID.exec(made.stdout)?.[0] ?? "");
  const list = steps.at(-1) as StepOf<"get_list">;
  expect(list.frame).toEqual(expected);
  const run = await world.finished((await world.post("/v1/runs", { scraper_id: id })).body.id);
  expect(run).toMatchObject({ status: "successful", warnings: [] });
  const names = Array.from({ length: 24 }, (__, index) => `Chair ${index + 1}`);
  expect(run.result_rows?.map((row) => Object.values(row).find((value) => /^Chair/.test(value)))).toEqual(
    names,
  );
});
