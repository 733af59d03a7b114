import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { startServiceProcess, withDataFolder } from "../../bench/service.ts";
import { storeRun } from "../../bench/stored-run.ts";

/*
 * Exports a run with awkward values, then reads the files with pandas and, if `soffice` is installed, with LibreOffice,
 * and compares all values. pandas is installed into a temporary folder, from PyPI.
 */

const { values } = parseArgs({ options: { rows: { type: "string", default: "10000" } } });
const ROWS = Number(values.rows);

/** Values that formats and programs may change. */
const AWKWARD = [
  "plain",
  "",
  "007",
  "1e5",
  "12345678901234567890",
  "=1+1",
  "@SUM(A1)",
  "-3",
  "TRUE",
  "2026-11-22",
  "€9.99",
  "a,b;c\td",
  'say "hello"',
  "two\nlines",
  "a carriage\rreturn",
  " spaces around ",
  "two  spaces",
  "Ο Καπετάν Μιχάλης",
  "東京 مرحبا 👩‍👩‍👧",
  "<b>&amp;</b>",
  "_x0041_",
  "N/A",
  "x".repeat(32_767),
];
/** The last two are columns of numbers and of dates. */
const FIELDS = ["name", "value", "Ünïcode column", "with,comma", "amount", "day"];
const row = (index: number) => {
  const at = (shift: number) => AWKWARD[(index + shift) % (AWKWARD.length - (index < 100 ? 0 : 1))] as string;
  return {
    name: `Row ${index}`,
    value: at(0),
    "Ünïcode column": at(5),
    "with,comma": at(11),
    amount: `${index}.25`,
    day: `2026-11-${10 + (index % 20)}`,
  };
};

const folder = await mkdtemp(join(tmpdir(), "gleaner-spreadsheets-"));
const run = async (command: string, ...args: string[]) => {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, maxBuffer: 1e8 });
  return stdout.trim();
};
try {
  await run("python3", "-m", "venv", "venv");
  const requirements = join(import.meta.dirname, "requirements.txt");
  await run("venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements);
  await withDataFolder(exportAll);
  await writeFile(
    join(folder, "expected.json"),
    JSON.stringify(Array.from({ length: ROWS }, (_, index) => row(index))),
  );
  const files = ["rows.csv", "rows.jsonl", "rows.json", "rows.xlsx", "text.xlsx"];
  if (await run("soffice", "--version").catch(() => "")) files.push(...(await byLibreOffice()));
  else console.log("LibreOffice is not installed: only pandas reads the files.");
  const compare = spawn("venv/bin/python", [join(import.meta.dirname, "compare.py"), ...files], {
    cwd: folder,
    stdio: "inherit",
  });
  [process.exitCode] = (await once(compare, "exit")) as [number];
} finally {
  await rm(folder, { recursive: true });
}

async function exportAll(data: string): Promise<void> {
  const { url, apiKey, withTable, stop } = await startServiceProcess(data);
  try {
    const id = await withTable((table) => storeRun(table, { rows: ROWS, fields: FIELDS, row }));
    const files = {
      ...{ "rows.csv": "csv", "rows.jsonl": "jsonl", "rows.json": "json" },
      ...{ "rows.xlsx": "xlsx", "text.xlsx": "xlsx&text=1" },
    };
    for (const [file, format] of Object.entries(files)) {
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${url}/v1/runs/${id}/rows?format=${format}`, { headers });
      if (!response.ok) throw new Error(await response.text());
      await writeFile(join(folder, file), Buffer.from(await response.arrayBuffer()));
    }
  } finally {
    await stop();
  }
}

/** Lets LibreOffice open the spreadsheet and the CSV file, all columns as text, and save what it read as CSV. */
async function byLibreOffice(): Promise<string[]> {
  // Comma, quote, UTF-8, from line 1 on; each column as text (2).
  const asText = FIELDS.map((_, index) => `${index + 1}/2`).join("/");
  const filter = `CSV:44,34,76,1,${asText},0,false,true`;
  const save = ["--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1", "--outdir", "libreoffice"];
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  await run("soffice", profile, "--headless", ...save, "rows.xlsx");
  await run("mv", "libreoffice/rows.csv", "libreoffice/xlsx.csv");
  await run("soffice", profile, "--headless", `--infilter=${filter}`, ...save, "rows.csv");
  await run("mv", "libreoffice/rows.csv", "libreoffice/csv.csv");
  return ["libreoffice/xlsx.csv", "libreoffice/csv.csv"];
}
