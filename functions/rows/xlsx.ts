import { Readable } from "node:stream";
import { ZipFile } from "yazl";

/*
 * A workbook with one sheet, written in one pass: the header is bold and stays in view, and all values are inline strings.
 * The format is Office Open XML, ECMA-376.
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

/** The parts besides the sheet, by path. */
const parts = {
  "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": `<styleSheet ${MAIN}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};

/** A workbook as a stream. `tables`: the values of rows, in the order of the columns. */
export async function* xlsx(
  tables: AsyncIterable<string[][]>,
  columns: readonly string[],
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const mtime = new Date();
  for (const [path, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(XML + xml), path, { mtime });
  const source = Readable.from(sheet(tables, columns), { objectMode: false, highWaterMark: 1 << 20 });
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

async function* sheet(tables: AsyncIterable<string[][]>, columns: readonly string[]): AsyncGenerator<Buffer> {
  const letters = columns.map((_, index) => lettersOf(index));
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  yield Buffer.from(
    `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><sheetData>${rowXml(1, columns, letters, ' s="1"')}`,
  );
  let number = 2;
  for await (const rows of tables) {
    let xml = "";
    for (const values of rows) {
      xml += rowXml(number, values, letters, "");
      number += 1;
    }
    yield Buffer.from(xml);
  }
  yield Buffer.from("</sheetData></worksheet>");
}

function rowXml(
  number: number,
  values: readonly string[],
  letters: readonly string[],
  style: string,
): string {
  let xml = `<row r="${number}">`;
  for (let column = 0; column < values.length; column += 1) {
    const value = values[column] ?? "";
    if (value !== "")
      xml += `<c r="${letters[column]}${number}" t="inlineStr"${style}><is><t xml:space="preserve">${textXml(value)}</t></is></c>`;
  }
  return `${xml}</row>`;
}

/** `A`, `B`, … `Z`, `AA` … */
function lettersOf(index: number): string {
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
