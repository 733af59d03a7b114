/// <reference lib="dom" />
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/** Pages that get their content by messages of a WebSocket, as those of LiveView and Blazor do. */

const { engine, site } = await startEngineAndSite();
const DELAY_MS = 900;
/** The same of a first message that nobody asked for. */
const FIRST_MS = 400;
/** The same where other messages come meanwhile. */
const LATE_MS = 2_000;
const OTHERS_MS = 100;

// Text frames: "1" and "0".
const message = Buffer.from([0x81, 1, 0x31]);
const otherMessage = Buffer.from([0x81, 1, 0x30]);
site.onSocket((path, socket) => {
  if (path === "/gone") {
    socket.once("data", () => socket.once("data", () => socket.end()).write(message));
    return;
  }
  if (path === "/first") {
    setTimeout(() => socket.write(message), FIRST_MS);
    return;
  }
  const isBusy = path === "/busy";
  let sent = 0;
  const others = isBusy ? setInterval(() => socket.write(otherMessage), OTHERS_MS) : undefined;
  socket.on("close", () => clearInterval(others));
  socket.on("data", (data) => {
    const isText = ((data[0] ?? 0) & 0x0f) === 1;
    if (!isText) return;
    sent += 1;
    // The list comes, and no more of it.
    if (path === "/silent" && sent > 1) return;
    setTimeout(() => socket.write(message), isBusy ? LATE_MS : DELAY_MS);
  });
});

/** The streams of events, by the pages that they belong to. */
const streams = new Map<string, ServerResponse>();
const pageOf = ({ headers }: IncomingMessage) => URL.parse(headers.referer ?? "")?.pathname ?? "";
site.setRoute("/stream", (request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
  streams.set(pageOf(request), response);
});
site.setRoute("/ask", (request, response) => {
  response.end();
  setTimeout(() => streams.get(pageOf(request))?.write("data: 1\n\n"), LATE_MS);
});

const page = (
  path: string,
  onMessage: string,
  onPress = "",
  count = 9,
) => `<ul id=list></ul><button id=more>More</button><script>
  const list = document.getElementById("list"), more = document.getElementById("more"); let shown = 0;
  const add = () => { for (let n = 0; n < 3; n += 1) { shown += 1; list.insertAdjacentHTML("beforeend", "<li>Lamp " + shown + "</li>"); }
    if (shown >= ${count}) more.remove(); };
  const socket = new WebSocket("ws://" + location.host + "${path}");
  socket.onmessage = ({ data }) => { if (data === "1") { ${onMessage} } };
  more.onclick = () => { ${onPress} };</script>`;

/** The same page with a stream of events, which asks by a request of its own. */
const streamed = (html: string) =>
  html
    .replace(/new WebSocket\(.*?\);/, 'new EventSource("/stream");')
    .replace(/socket\.send\(.*?\)/g, 'fetch("/ask")');

const button = { selector: "#more" };
const none: Pagination = { type: "none" };
const loadMore: Pagination = { type: "load_more", ...button };
const nextButton: Pagination = { type: "next_button", ...button };

const asked = (path: string) =>
  page(path, "add()").replace("</script>", "socket.onopen = () => socket.send('list');</script>");
const batches = (path: string, count = 9) =>
  page(path, "add()", "socket.send('more')", count).replace("more.onclick", "add(); more.onclick");
const pages = (path: string) =>
  page(path, "list.innerHTML = ''; add()", "socket.send('next')").replace(
    "more.onclick",
    "add(); more.onclick",
  );

/** Clients close a connection whose server gives no sign of life, which is one of every so many messages here. */
const SIGN_OF_LIFE = 5;
const impatient = (html: string) =>
  html
    .replace(
      "</script>",
      `let patience; const wait = () => { clearTimeout(patience); patience = setTimeout(() => socket.close(), 30_000); };
      let heard = 0; wait();</script>`,
    )
    .replace("({ data }) => {", `({ data }) => { if (++heard % ${SIGN_OF_LIFE} === 0) wait();`);

function run(html: string, pagination: Pagination) {
  const path = site.newPath();
  site.setRoute(path, html);
  return engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
    pagination,
  });
}

test.concurrent.each<[string, Pagination, string, number]>([
  ["a list", none, page("/first", "add()"), 3],
  ["a list that is asked for", none, asked("/asked"), 3],
  ["batches of a list", loadMore, batches("/asked"), 9],
  ["pages of a list", nextButton, pages("/asked"), 9],
  ["a list that is asked for, among other messages,", none, asked("/busy"), 3],
  ["batches of a list, among other messages,", loadMore, batches("/busy"), 9],
  ["pages of a list, among other messages,", nextButton, pages("/busy"), 9],
  ["many batches of a list, by an impatient client,", loadMore, impatient(batches("/asked", 30)), 30],
  ["batches of a list, asked for by requests,", loadMore, streamed(batches("/asked")), 9],
  ["pages of a list, asked for by requests,", nextButton, streamed(pages("/asked")), 9],
])("%s by messages", async (_, pagination, html, count) => {
  const told = await run(html, pagination);
  const rows = Array.from({ length: count }, (_, index) => ({ name: `Lamp ${index + 1}` }));
  expect(told).toMatchObject({ failure: undefined, rows, warnings: [] });
});

test.concurrent.each<[string, Pagination, string]>([
  ["batches", loadMore, batches("/gone")],
  ["pages", nextButton, pages("/gone")],
])("%s whose WebSocket is closed: the run says so", async (_, pagination, html) => {
  const told = await run(html, pagination);
  expect(told).toMatchObject({
    failure: undefined,
    warnings: [
      { code: "rows_may_be_missing", step: 1, message: expect.stringContaining("the WebSocket was closed") },
    ],
  });
  expect(told.rows).toHaveLength(6);
});

test.concurrent("pages by addresses, with WebSockets that close with their pages", async () => {
  const path = site.newPath();
  for (const number of [1, 2, 3]) {
    const html = asked("/asked").replace("Lamp ", `Lamp ${number}.`);
    site.setRoute(`${path}/${number}`, number < 3 ? html : `${html}<script>list.remove()</script>`);
  }
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(`${path}/1`) },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
    pagination: { type: "url_template", url: site.url(`${path}/{page}`) },
  });
  expect(told).toMatchObject({ failure: undefined, warnings: [] });
  expect(told.rows).toHaveLength(6);
});

test.concurrent.each<[string, Pagination, string]>([
  ["batches", loadMore, page("/silent", "add()", "socket.send('more')")],
  ["pages", nextButton, page("/silent", "list.innerHTML = ''; add()", "socket.send('next')")],
])("%s whose message has no answer: the run says so", async (_, pagination, html) => {
  const path = site.newPath();
  site.setRoute(path, html.replace("</script>", "socket.onopen = () => socket.send('list');</script>"));
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
    pagination,
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows).toHaveLength(3);
  expect(told.warnings).toMatchObject([
    { code: "rows_may_be_missing", message: expect.stringContaining("no answer came within 5 seconds") },
  ]);
});
