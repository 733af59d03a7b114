import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { ColumnScan, type ColumnType } from "./column-types.ts";

/*
 * A workbook with one sheet: the header is bold and stays in view. Texts are inline strings, so that no table of strings
 * has to be held. The format is Office Open XML, ECMA-376.
 */

/** Excel refuses longer texts. */
const CELL_MAX = 32_767;
const CUT = " … [cut: Excel takes 32,767 characters]";
/** Sheets have no more columns. */
export const COLUMNS_MAX = 16_384;
/** Sheets have no more rows besides the header. */
export const ROWS_MAX = 1_048_575;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Formats of cells with up to this many decimals have a style. */
const DECIMALS_MAX = 6;
/** The formats of cells, by style. The first two are for texts and the header. */
const FORMATS = [
  ...["yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"],
  ...Array.from({ length: DECIMALS_MAX + 1 }, (_, decimals) => {
    const end = decimals === 0 ? "" : `.${"0".repeat(decimals)}`;
    return [`0${end}`, `#,##0${end}`];
  }).flat(),
];
const [DATE_STYLE, TIME_STYLE, NUMBER_STYLE] = [2, 3, 4];
/** Office Open XML reserves lower ids of formats. */
const FORMAT_ID = 164;

const numberFormats = FORMATS.map(
  (code, index) => `<numFmt numFmtId="${FORMAT_ID + index}" formatCode="${code}"/>`,
);
const formatStyles = FORMATS.map((_, index) => `<xf numFmtId="${FORMAT_ID + index}" applyNumberFormat="1"/>`);

/** The parts besides the sheet, by path. */
const parts = {
  "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": `<styleSheet ${MAIN}><numFmts count="${FORMATS.length}">${numberFormats.join("")}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${2 + FORMATS.length}"><xf/><xf fontId="1" applyFont="1"/>${formatStyles.join("")}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

/** The values of rows, in the order of the columns. */
type Tables = AsyncIterable<string[][]>;

/**
 * A workbook as a stream. `read` reads the rows. With `isTyped`, it is called twice: first for the types and the widths of the
 * columns. Otherwise, all cells are texts.
 */
export async function* xlsx(
  read: () => Tables,
  columns: readonly string[],
  isTyped: boolean,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const mtime = new Date();
  for (const [path, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(XML + xml), path, { mtime });
  const source = Readable.from(sheet(read, columns, isTyped), { objectMode: false, highWaterMark: 1 << 20 });
  zip.addReadStream(source, "xl/worksheets/sheet1.xml", { mtime, compressionLevel: 1 });
  zip.end();
  const output = zip.outputStream as Readable;
  zip.on("error", (error) => output.destroy(error));
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    source.destroy();
  }
}

/** How the cells of a column are written. */
interface Column {
  letters: string;
  type: ColumnType | undefined;
  style: string;
}

const HEADER = ' s="1"';

async function* sheet(
  read: () => Tables,
  names: readonly string[],
  isTyped: boolean,
): AsyncGenerator<Buffer> {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  yield Buffer.from(
    `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`,
  );
  const scans = isTyped ? await scan(read(), names) : [];
  const columns = names.map((_, index): Column => {
    const type = scans[index]?.type();
    return { letters: lettersOf(index), type, style: styleOf(type) };
  });
  const header = columns.map(({ letters }) => ({ letters, type: undefined, style: HEADER }));
  yield Buffer.from(`${widths(names, scans)}<sheetData>${rowXml(1, names, header)}`);
  let number = 2;
  for await (const rows of read()) {
    let xml = "";
    for (const values of rows) {
      xml += rowXml(number, values, columns);
      number += 1;
    }
    yield Buffer.from(xml);
  }
  yield Buffer.from("</sheetData></worksheet>");
}

async function scan(tables: Tables, names: readonly string[]): Promise<ColumnScan[]> {
  const scans = names.map(() => new ColumnScan());
  for await (const rows of tables) {
    for (const values of rows) for (const [index, one] of scans.entries()) one.add(values[index] ?? "");
  }
  return scans;
}

function styleOf(type: ColumnType | undefined): string {
  if (type === undefined) return "";
  const { kind, decimals, isGrouped } = type;
  if (kind !== "number") return ` s="${kind === "date" ? DATE_STYLE : TIME_STYLE}"`;
  if (decimals === undefined || decimals > DECIMALS_MAX) return "";
  return ` s="${NUMBER_STYLE + 2 * decimals + Number(isGrouped)}"`;
}

/** In characters. */
const [WIDTH_MIN, WIDTH_MAX, TIME_WIDTH] = [12, 60, 21];

function widths(names: readonly string[], scans: readonly ColumnScan[]): string {
  if (scans.length === 0) return "";
  const columns = scans.map((one, index) => {
    const longest = Math.max(one.length, names[index]?.length ?? 0) + 2;
    const least = one.type()?.kind === "time" ? TIME_WIDTH : WIDTH_MIN;
    const width = Math.min(Math.max(longest, least), WIDTH_MAX);
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<cols>${columns.join("")}</cols>`;
}

function rowXml(number: number, values: readonly string[], columns: readonly Column[]): string {
  let xml = `<row r="${number}">`;
  for (const [index, { letters, type, style }] of columns.entries()) {
    const value = values[index] ?? "";
    if (value === "") continue;
    const known = type?.read(value);
    xml +=
      known === undefined
        ? `<c r="${letters}${number}" t="inlineStr"${type === undefined ? style : ""}><is><t xml:space="preserve">${textXml(value)}</t></is></c>`
        : `<c r="${letters}${number}"${style}><v>${known}</v></c>`;
  }
  return `${xml}</row>`;
}

/** `A`, `B`, … `Z`, `AA` … */
export function lettersOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : lettersOf(Math.floor(index / 26) - 1) + last;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML can't contain these characters.
const SPECIAL = /[<>&\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/g;
const ENTITIES: Record<string, string> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", "\r": "&#13;" };

function textXml(value: string): string {
  const text = value.length > CELL_MAX ? value.slice(0, CELL_MAX - CUT.length) + CUT : value;
  return text.toWellFormed().replace(SPECIAL, replaceSpecial);
}

/** What XML can't contain is written by its code, and what looks like such a code is escaped, as Office Open XML says. */
function replaceSpecial(found: string): string {
  if (found.length > 1) return `_x005F${found}`;
  return ENTITIES[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
}
