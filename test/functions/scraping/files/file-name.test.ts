import { describe, expect, test } from "@jest/globals";
import { fileName, fileType, isPageInstead } from "../../../../functions/scraping/files/file-name.ts";

const url = (path: string) => `https://shop.example/files/${path}`;

describe("a name", () => {
  test.each([
    ["the end of the address", url("Manual%20A4.pdf?v=2#page=3"), undefined, "Manual A4.pdf"],
    ["an address without an end", "https://shop.example", undefined, "file.png"],
    ["a folder", url("scans/"), undefined, "scans.png"],
    ["no extension", url("download"), undefined, "download.png"],
    ["encoded slashes", url("..%2F..%2Fetc%2Fpasswd"), undefined, "_.._etc_passwd.png"],
    ["dots only", url("%2E%2E%2E"), undefined, "file.png"],
    ["a backslash and a colon", url("C:%5Cboot.ini"), undefined, "C__boot.ini"],
    ["what is no encoding", url("100%.pdf"), undefined, "100%.pdf"],
    ["Unicode", url("%C3%9Cbersicht-%E6%97%A5%E6%9C%AC.pdf"), undefined, "Übersicht-日本.pdf"],
    ["Unicode that is composed otherwise", url("U%CC%88.pdf"), undefined, "Ü.pdf"],
    ["a text that turns around", url("a%E2%80%AEgnp.exe"), undefined, "agnp.exe"],
    ["control characters", url("a%00b%0Ac.pdf"), undefined, "a_b_c.pdf"],
    ["a trailing dot and space", url("report.pdf.%20"), undefined, "report.pdf"],
    ["what the server calls it", url("get?id=5"), 'attachment; filename="Invoice 5.pdf"', "Invoice 5.pdf"],
    ["the same in UTF-8", url("get"), "attachment; filename=x.pdf; filename*=UTF-8''%E2%82%AC.pdf", "€.pdf"],
    ["bytes of UTF-8", url("get"), 'attachment; filename="\u00c3\u00bc.pdf"', "ü.pdf"],
    ["a quotation mark in it", url("get"), 'attachment; filename="a\\"b.pdf"', "a_b.pdf"],
    ["a path in it", url("get"), "inline; filename=../../x.sh", "_.._x.sh"],
    ["no name in it", url("doc.pdf"), "attachment", "doc.pdf"],
  ])("of %s", (_, address, disposition, expected) => {
    expect(fileName(address, disposition, "png")).toBe(expected);
  });

  test("has at most 180 bytes, keeps its extension, and ends between characters", () => {
    const name = fileName(url(`${encodeURIComponent("日".repeat(300))}.pdf`), undefined);
    expect(name).toBe(`${"日".repeat(58)}.pdf`);
  });
});

describe("a type", () => {
  const bytes = (text: string) => Buffer.from(text, "latin1");
  test.each([
    ["a PDF", "%PDF-1.7\n", "application/pdf", "application/pdf", "pdf"],
    ["a PDF that is called an image", "%PDF-1.7\n", "image/png", "application/pdf", "pdf"],
    ["a JPEG that is called a PNG", "\xff\xd8\xff\xe0", "image/png", "image/jpeg", "jpg"],
    ["a WebP image", "RIFF\x10\x00\x00\x00WEBPVP8 ", "", "image/webp", "webp"],
    ["a WAV file", "RIFF\x10\x00\x00\x00WAVEfmt ", "audio/wav", "audio/wav", undefined],
    ["an archive", "PK\x03\x04", "application/octet-stream", "application/zip", "zip"],
    [
      "a workbook",
      "PK\x03\x04",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      undefined,
    ],
    ["a text that is called a PDF", "Not found", "application/pdf", "application/octet-stream", undefined],
    ["a page that is called a PDF", "\n<!DOCTYPE html><p>", "application/pdf", "text/html", "html"],
    ["a text", "a,b", "Text/CSV; charset=utf-8", "text/csv", undefined],
    ["what has no type", "abc", "", "application/octet-stream", undefined],
    ["a type that is none", "abc", "<script>", "application/octet-stream", undefined],
  ])("of %s", (_, content, declared, type, extension) => {
    expect(fileType(bytes(content), declared)).toEqual({ type, ...(extension && { extension }) });
  });

  test.each([
    [true, url("a.pdf"), "text/html"],
    [true, url("download"), "application/pdf"],
    [false, url("terms"), "text/html"],
    [false, url("terms.html"), "text/html; charset=utf-8"],
    [false, url("terms.php"), "text/html"],
  ])("a web page in place of a file: %s for %s as %s", (expected, address, declared) => {
    const page = fileType(bytes("<html>"), declared);
    expect(isPageInstead(page, address, declared)).toBe(expected);
    expect(isPageInstead(fileType(bytes("%PDF-"), declared), address, declared)).toBe(false);
  });
});
