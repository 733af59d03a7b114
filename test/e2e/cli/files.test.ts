import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import type { RunFile } from "../../../functions/contract/runs/file.ts";
import type { Run } from "../../../functions/contract/runs/run.ts";
import { newFolder } from "../../new-folder.ts";
import { startSite } from "../../site/site.ts";
import { startWorld } from "../harness.ts";
import { gleaner } from "./gleaner.ts";

const site = await startSite();
const world = await startWorld({ allowHosts: [site.host] });
const root = await newFolder();
afterAll(async () => {
  await world.stop();
  await site.close();
});
const cli = (...args: string[]) => gleaner([...args, "--data", world.data]);

test("a run downloads the files of its rows, and the command line saves them", async () => {
  const manuals = ["lamp", "desk"].map((name) => ({ name, content: `%PDF-1.7 ${name}` }));
  for (const { name, content } of manuals)
    site.setRoute(`/${name}.pdf`, (_, response) => void response.end(content));
  const links = ["lamp", "desk", "gone", "lamp"].map((name) => `<li><a href="/${name}.pdf">${name}</a></li>`);
  site.setRoute("/", `<ul>${links.join("")}</ul>`);
  const { id: scraper } = await world.putScraper({
    name: "Manuals",
    steps: [
      { type: "visit", url: site.url("/") },
      {
        type: "get_list",
        selector: "li",
        fields: [{ name: "name" }, { name: "pdf", selector: "a", attribute: "href" }],
        files: { field: "pdf" },
      },
    ],
  });
  const { body: created } = await world.post<Run>("/v1/runs", { scraper_id: scraper });
  const run = await world.finished(created.id);
  const { files, warnings, status } = (await world.call<Run>(`/v1/runs/${run.id}`)).body;
  const bytes = manuals.reduce((sum, { content }) => sum + content.length, 0);
  expect({ files, status }).toEqual({ files: { count: 3, failed: 1, bytes }, status: "successful" });
  expect(warnings).toMatchObject([{ code: "files_missing", field: "pdf", count: 1 }]);

  const listed = JSON.parse((await cli("run", "files", run.id, "--json")).stdout) as RunFile[];
  expect(listed.map(({ name, url, row, error }) => [name, url, row, error === null])).toEqual([
    ["00001-lamp.pdf", site.url("/lamp.pdf"), 0, true],
    ["00002-desk.pdf", site.url("/desk.pdf"), 1, true],
    ["00003-gone.pdf", site.url("/gone.pdf"), 2, false],
  ]);
  const folder = join(root, "manuals");
  // What is there and whole stays; what was cut short is replaced.
  expect(await cli("run", "files", run.id, "-o", folder)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("2 files"),
    stderr: expect.stringContaining("could not download 1 file"),
  });
  const kept = await stat(join(folder, "00001-lamp.pdf"));
  await writeFile(join(folder, "00002-desk.pdf"), "%PDF");
  expect((await cli("run", "files", run.id, "-o", folder)).code).toBe(0);
  expect((await stat(join(folder, "00001-lamp.pdf"))).ino).toBe(kept.ino);
  expect((await readdir(folder)).sort()).toEqual(["00001-lamp.pdf", "00002-desk.pdf"]);
  expect(await readFile(join(folder, "00002-desk.pdf"), "utf8")).toBe("%PDF-1.7 desk");

  const archive = join(root, "manuals.zip");
  expect((await cli("run", "files", run.id, "-o", archive)).code).toBe(0);
  const zip = await readFile(archive, "latin1");
  for (const text of ["files.csv", "00001-lamp.pdf", ...manuals.map(({ content }) => content)])
    expect(zip).toContain(text);
  expect(await cli("run", "files", run.id, "-o", join(folder, "00001-lamp.pdf"))).toMatchObject({ code: 2 });

  expect((await cli("run", "delete", run.id, "--yes")).code).toBe(0);
  expect(await readdir(join(world.data, "files", "default"))).toEqual([]);
}, 120_000);
