import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, jest, test } from "@jest/globals";
import { main } from "../../local/cli.ts";

async function script(shell: string): Promise<string> {
  let text = "";
  const log = jest.spyOn(console, "log").mockImplementation((line) => {
    text += line;
  });
  await main(["node", "gleaner", "completion", shell]);
  log.mockRestore();
  return text;
}

const onPosix = process.platform === "win32" ? test.skip : test;

onPosix("bash completes commands, options and their values", async () => {
  const bash = await script("bash");
  const complete = async (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(" ");
    const code = `${bash}\nCOMP_WORDS=(gleaner ${typed}); COMP_CWORD=${words.length}; _gleaner; echo "\${COMPREPLY[@]}"`;
    return (await promisify(execFile)("bash", ["-c", code])).stdout.trim();
  };
  expect(await complete("sc")).toBe("scraper");
  expect(await complete("scraper", "pu")).toBe("put pull");
  expect(await complete("run", "start", "some-id", "--w")).toBe("--webhook --watch");
  expect(await complete("run", "rows", "some-id", "-f", "x")).toBe("xlsx");
  expect(await complete("completion", "some")).toBe("");
});

test.each(["zsh", "fish"])("the script for %s has every command", async (shell) => {
  const text = await script(shell);
  for (const word of ["scraper", "put", "watch", "doctor", "completion"]) expect(text).toContain(word);
  expect(text).toContain("Ctrl-C stops watching, not the run");
});
