import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import { validate } from "../../functions/contract/validate.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { newFolder } from "../new-folder.ts";
import { sendHtml, startSite } from "../site/site.ts";
import { gleaner, type Said } from "./cli/gleaner.ts";
import { CommandLine, type Finished } from "./command-line.ts";
import { type Block, blocksOf, expectOutput } from "./documentation.ts";
import { run } from "./shell.ts";

/* The tutorial and the how-tos, done as they say, with the service on a free port, and perhaps the shop. */

const site = await startSite();
const dir = await newFolder();
const processes = new CommandLine();
/** What stands for each id of the documentation, and for other names that differ here. */
const actual = new Map([
  ["https://shop.example.com", site.origin],
  ["http://localhost:3000", site.origin],
]);
const here = (text: string) =>
  [...actual].reduce((result, [written, real]) => result.replaceAll(written, real), text);

let serviceOutput = "";
let serviceUrl = "";
beforeAll(async () => {
  const { child, url } = await processes.start(
    "--data",
    join(dir, ".gleaner"),
    "--example",
    "--allow-host",
    site.host,
  );
  serviceOutput = child.output.stdout;
  actual.set("localhost:4100", /bookshop is open at http:\/\/(\S+)\/books/.exec(serviceOutput)?.[1] ?? "");
  serviceUrl = url;
  const npx = join(dir, "bin", "npx");
  await mkdir(dirname(npx));
  await writeFile(npx, `#!/bin/sh\nshift\nexec node "${join(PROJECT_FOLDER, "bin", "gleaner.js")}" "$@"\n`);
  await chmod(npx, 0o755);
  await shell("npx gleaner account set default --rate 10000");
});
afterAll(async () => {
  await processes.close();
  await site.close();
});

/** Runs commands as a person types them, in a folder with the data of the service. */
async function shell(commands: string, env: Record<string, string> = {}, input = ""): Promise<Finished> {
  return run(here(commands), { cwd: dir, bin: join(dir, "bin"), env, input });
}

async function succeed(commands: string, env?: Record<string, string>, input?: string): Promise<Finished> {
  const finished = await shell(commands, env, input);
  expect(finished).toMatchObject({ code: 0 });
  return finished;
}

const read = async (path: string) => blocksOf(await readFile(join(PROJECT_FOLDER, "docs", path), "utf8"));
const of = (blocks: readonly Block[], language: string) =>
  blocks.filter((block) => block.language === language).map(({ text }) => text);

/** How programs elsewhere find the service. */
async function credentials(): Promise<Record<string, string>> {
  const { api_key } = JSON.parse(await readFile(join(dir, ".gleaner", "credentials.json"), "utf8"));
  return { GLEANER_URL: serviceUrl, GLEANER_KEY: api_key };
}

/** One command in this process, which saves the start of another one. */
async function cli(...args: string[]): Promise<Said> {
  const said = await gleaner([...args, "--data", join(dir, ".gleaner")]);
  expect(said).toMatchObject({ code: 0 });
  return said;
}

/** Stores a definition as a file, checks and puts it, and returns the id of the stored scraper. */
async function follow(blocks: readonly Block[], file: string): Promise<string> {
  await writeFile(join(dir, file), here(of(blocks, "json")[0] ?? ""));
  await cli("scraper", "check", join(dir, file));
  return put(file);
}

async function put(file: string): Promise<string> {
  const { stdout } = await cli("scraper", "put", join(dir, file));
  return / as ([0-9a-f-]{36})$/m.exec(stdout)?.[1] ?? "";
}

let prices: Promise<string> | undefined;
/** The id of the scraper of follow-prices.md, which other how-tos run, too. */
const pricesScraper = () => {
  prices ??= read("how-to/follow-prices.md").then((blocks) => follow(blocks, "prices.json"));
  return prices;
};

test("the tutorial leads from an address to a spreadsheet, and prints what it says", async () => {
  const blocks = await read("tutorial.md");
  const done: string[] = [];
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== "sh") continue;
    const next = blocks[index + 1];
    const expected = next?.language === "text" ? next.text : undefined;
    done.push(text);
    // The test has a copy of the repository, with everything installed.
    if (text.startsWith("git clone")) continue;
    const output = text.startsWith("npm start") ? serviceOutput : await type(text);
    if (expected !== undefined) expectOutput(output, expected, actual);
  }
  expect(done).toHaveLength(6);
  expect((await readFile(join(dir, "rows.xlsx"))).subarray(0, 2).toString()).toBe("PK");
  expect(done[1]).toBe("npm start");
});

/** What somebody at a terminal sees. */
async function type(command: string): Promise<string> {
  if (command.startsWith("npx gleaner scraper new")) {
    const args = here(command).split(" ").slice(2);
    const { transcript } = await gleaner([...args, "--data", join(dir, ".gleaner")], {}, ["1"]);
    return transcript;
  }
  const { stdout, stderr } = await succeed(command);
  return (stderr + stdout).replaceAll("\r\n", "\n");
}

describe("how-tos", () => {
  test("every definition in the documentation fits the contract", async () => {
    const names = await readdir(join(PROJECT_FOLDER, "docs"), { recursive: true });
    const files = ["../README.md", ...names.filter((name) => name.endsWith(".md"))];
    const definitions = (await Promise.all(files.map(read)))
      .flatMap((blocks) => of(blocks, "json"))
      .filter((text) => /^\{\s*"name":/.test(text))
      .map((text) => JSON.parse(text));
    expect(definitions.length).toBeGreaterThanOrEqual(5);
    for (const definition of definitions) expect(validate(ScraperDefinition, definition)).toBeDefined();
  });

  test("sign-in.md signs in and reads what is behind it", async () => {
    site.setRoute(
      "/login",
      '<form action="/in" method="post"><label>E-mail <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>',
    );
    site.setRoute("/in", async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      const isRight = body === "user=me%40example.com&password=correct+horse";
      response.setHeader("set-cookie", `in=${isRight}; HttpOnly`);
      sendHtml(response, "<h1>Welcome</h1>");
    });
    site.setRoute("/orders", (request, response) => {
      const order =
        '<div class="order"><b class="number">17</b> <span class="total">12 EUR</span><button>Again</button></div>';
      sendHtml(response, request.headers.cookie === "in=true" ? order : "<h1>Sign in first</h1>");
    });
    const blocks = await read("how-to/sign-in.md");
    const [set = "", put] = of(blocks, "sh");
    await succeed(set.replace("shop.example.com", site.host), {}, "correct horse");
    expect(put).toBe("npx gleaner scraper check orders.json\nnpx gleaner scraper put orders.json");
    const id = await follow(blocks, "orders.json");
    await cli("run", "start", id, "-o", join(dir, "orders.csv"));
    expect(await readFile(join(dir, "orders.csv"), "utf8")).toContain("number,total\r\n17,12 EUR\r\n");
  });

  test("prices-as-numbers.md writes numbers", async () => {
    const blocks = await read("how-to/prices-as-numbers.md");
    const id = await follow(blocks, "numbers.json");
    await cli("run", "start", id, "-o", join(dir, "numbers.csv"));
    const [, rows = ""] = of(blocks, "text");
    const csv = (await readFile(join(dir, "numbers.csv"), "utf8"))
      .replace(/^\ufeff/, "")
      .replaceAll("\r\n", "\n");
    expect(csv.startsWith(rows)).toBe(true);
  });

  test("json.md reads what the data of a shop has", async () => {
    const blocks = await read("how-to/json.md");
    const [make = ""] = of(blocks, "sh");
    const [offered = "", , rows = ""] = of(blocks, "text");
    const goods = rows
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => {
        const [sku, title, amount, currency, stock, ...tags] = line.replaceAll('"', "").split(",");
        return {
          sku,
          title,
          price: { amount: Number(amount), currency },
          stock: Number(stock),
          tags: tags.map((tag) => tag.trim()),
        };
      });
    site.setRoute("/products", ({ url = "" }, response) => {
      const isFirst = !url.includes("page=2");
      const data = { props: { pageProps: { products: isFirst ? goods.slice(0, 3) : goods.slice(3) } } };
      const next = isFirst ? '<a href="/products?page=2">Next</a>' : "";
      const cards = data.props.pageProps.products.map(
        ({ sku, title, price }) =>
          `<li class="card"><a href="/p/${sku}"><h2>${title}</h2></a><span class="price">€${price.amount.toFixed(2)}</span></li>`,
      );
      sendHtml(
        response,
        `<main>Products<ul>${cards.join("")}</ul></main>${next}<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script>`,
      );
    });
    const made = await succeed(make.replace("-o products.json", "-o made.json"));
    const isTold = (line: string) => made.stderr.includes(line);
    // The addresses of the test are longer.
    expect(offered.split("\n").filter((line) => !/http|┌|├|└|url/.test(line) && !isTold(line))).toEqual([]);
    const id = await follow(blocks, "products.json");
    await cli("run", "start", id, "-o", join(dir, "products.csv"));
    const csv = await readFile(join(dir, "products.csv"), "utf8");
    expect(
      csv
        .replace(/^\ufeff/, "")
        .replaceAll("\r\n", "\n")
        .trim(),
    ).toBe(rows.trim());
  });

  test("search-first.md finds a list by an address and by steps, and searches for other words", async () => {
    const blocks = await read("how-to/search-first.md");
    const [byAddress = "", put, start = ""] = of(blocks, "sh");
    const made = await succeed(`${byAddress} --json`);
    expect(JSON.parse(made.stdout)).toMatchObject({ steps: [{}, { selector: ".book-card" }] });
    expect(put).toBe("npx gleaner scraper check search.json\nnpx gleaner scraper put search.json");
    const id = await follow(blocks, "search.json");
    const { stdout } = await succeed(start.replace("ID", id));
    expect(stdout).toMatch(/Successful: \d\d rows .*\nWrote paperbacks\.xlsx/);
  });

  test("many-inputs.md runs scrapers for words, for the rows of a list, for a sheet and for a sitemap", async () => {
    const blocks = await read("how-to/many-inputs.md");
    const [search, list, book, fromList, sitemap] = of(blocks, "json");
    const [words, chain = "", sheet = "", products = ""] = of(blocks, "sh");
    const save = (file: string, text = "") => writeFile(join(dir, file), here(text));
    const store = async (file: string, text: string | undefined) => {
      await save(file, text);
      return put(file);
    };
    const rowsIn = async (file: string) =>
      (await readFile(join(dir, file), "utf8")).trim().split("\r\n").slice(1);
    await save("words.csv", of(blocks, "csv")[0]);
    const searchId = await store("search.json", search);
    const start =
      (words ?? "").split("\n")[1]?.replace("books.xlsx", "words.out.csv").replace("ID", searchId) ?? "";
    await succeed(start);
    const found = await rowsIn("words.out.csv");
    for (const word of ["paperback,A-17", "hardback,B-4"])
      expect(found.filter((row) => row.startsWith(`${word},`)).length).toBeGreaterThan(1);

    const [listId, bookId] = [await store("list.json", list), await store("book.json", book)];
    await save("from-list.json", fromList?.replace("LIST_ID", listId));
    const [, first = "", second = ""] = chain.split("\n");
    await succeed(first.replace("LIST_ID", listId));
    await succeed(second.replace("BOOK_ID", bookId));
    const books = await rowsIn("books.csv");
    expect(books.length).toBeGreaterThan(3);

    site.setRoute("/sheet.csv", (_, response) => {
      response.setHeader("content-type", "text/csv").end("search\nhardback\n");
    });
    const address = /'(https:.*?)'/.exec(sheet)?.[1] ?? "none";
    const [, daily = ""] = sheet.split("\n");
    await succeed(daily.replace(address, site.url("/sheet.csv")).replace("ID", searchId));
    expect((await readdir(dir)).filter((name) => /^books-\d{4}-\d\d-\d\d\.xlsx$/.test(name))).toHaveLength(1);

    const page = books[0]?.split(",")[0] ?? "";
    site.setRoute("/sitemap.xml", (_, response) => {
      response.end(
        `<urlset><url><loc>${page}</loc></url><url><loc>${site.url("/about")}</loc></url></urlset>`,
      );
    });
    await save("sitemap.json", sitemap?.replace("*/products/*", "*/books/*"));
    await succeed(products.replace("BOOK_ID", bookId));
    expect(await rowsIn("products.csv")).toEqual([books[0]]);
  }, 120_000);

  test("follow-prices.md writes a spreadsheet of the day", async () => {
    const id = await pricesScraper();
    const [script = ""] = of(await read("how-to/follow-prices.md"), "sh");
    // The id first: the folder's random name may hold its placeholder.
    await succeed(script.replace("ID", id).replace("/srv/gleaner", dir));
    const [file = ""] = await readdir(join(dir, "prices"));
    expect(file).toMatch(/^\d{4}-\d\d-\d\d\.xlsx$/);
  });

  test("github-actions.md runs a scraper in a job, also with a service of its own", async () => {
    const blocks = await read("how-to/github-actions.md");
    const [workflow = "", own = ""] = of(blocks, "yaml");
    const command = /- run: (npx gleaner .*)/.exec(workflow)?.[1] ?? "";
    const id = await pricesScraper();
    await succeed(command.replace("SCRAPER_ID", id), await credentials());
    expect((await readFile(join(dir, "prices.xlsx"))).subarray(0, 2).toString()).toBe("PK");

    // The service of this test is there already, in place of the job's.
    const [, start, ...rest] = own.split("\n").map((line) => line.trim());
    expect(start).toBe("npx gleaner start > gleaner.log &");
    const { stdout } = await succeed(rest.join("\n"));
    expect(stdout).toContain("Wrote prices.xlsx: xlsx, 58 rows");
  });

  test("import.md makes a scraper from a sitemap, and says what it lacks", async () => {
    const blocks = await read("how-to/import.md");
    await writeFile(join(dir, "sitemap.json"), here(of(blocks, "json")[0] ?? ""));
    const [command = ""] = (of(blocks, "sh")[0] ?? "").split("\n");
    const { stdout, stderr } = await succeed(command);
    expectOutput(
      stderr + stdout,
      (of(blocks, "text")[0] ?? "").trimEnd().replace(/(?=^Stored)/m, "…\n"),
      actual,
    );
  });

  test("move-from-browserhub.md makes scrapers again and compares their rows", async () => {
    const blocks = await read("how-to/move-from-browserhub.md");
    const [make = "", rest = ""] = of(blocks, "sh");
    await succeed(make.replace("https://shop.example.com", `http://${actual.get("localhost:4100")}`));
    const id = await follow(blocks, "books.json");
    await succeed(rest.replace("ID", id));
    const [header, ...books] = (await readFile(join(dir, "books.csv"), "utf8")).trim().split("\r\n");
    expect([header, books.length]).toEqual(["title,price", 23]);
  });
});
