import type { IncomingMessage, ServerResponse } from "node:http";
import type { Site } from "../../site/site.ts";
import { cardList, lamps, type Page, type Pages, type Routes, SITE, visit } from "../page.ts";

/* Pages that get their content by messages of a WebSocket, as those of LiveView and Blazor do. */

const DELAY_MS = 500;
/** The same of a first message that nobody asked for. */
const FIRST_MS = 400;
/** The same where other messages come meanwhile. */
const LATE_MS = 1_500;
const OTHERS_MS = 100;

// Text frames: "1" and "0".
const message = Buffer.from([0x81, 1, 0x31]);
const otherMessage = Buffer.from([0x81, 1, 0x30]);

/** What sends the messages: WebSockets by their path, and a stream of events that belongs to a page. */
function serve(site: Site): Routes {
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
  const streams = new Map<string, ServerResponse>();
  const pageOf = ({ headers }: IncomingMessage) => headers.referer ?? "";
  return {
    "/stream": (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
      streams.set(pageOf(request), response);
    },
    "/one": (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
      setTimeout(() => response.write("data: 1\n\n"), LATE_MS);
    },
    "/ask": (request, response) => {
      response.end();
      setTimeout(() => streams.get(pageOf(request))?.write("data: 1\n\n"), LATE_MS);
    },
  };
}

const html = (path: string, onMessage: string, onPress = "", count = 9) =>
  `<ul id=list></ul><button id=more>More</button><script>
  const list = document.getElementById("list"), more = document.getElementById("more"); let shown = 0;
  const add = () => { for (let n = 0; n < 3; n += 1) { shown += 1; list.insertAdjacentHTML("beforeend", "<li class=card>Lamp " + shown + "</li>"); }
    if (shown >= ${count}) more.remove(); };
  const socket = new WebSocket("ws://" + location.host + "${path}");
  socket.onmessage = ({ data }) => { if (data === "1") { ${onMessage} } };
  more.onclick = () => { ${onPress} };</script>`;

/** The same page with a stream of events, which asks by a request of its own. */
const streamed = (page: string) =>
  page
    .replace(/new WebSocket\(.*?\);/, 'new EventSource("/stream");')
    .replace(/socket\.send\(.*?\)/g, 'fetch("/ask")');
/** The same page with a stream for each press. */
const streamedEach = (page: string) =>
  page
    .replace(/const socket = new WebSocket\(.*?\);\s*socket\.onmessage = /, "const heard = ")
    .replace(
      /socket\.send\(.*?\)/,
      'const one = new EventSource("/one"); one.onmessage = (event) => { one.close(); heard(event); }',
    );
const askingAtOnce = (page: string) =>
  page.replace("</script>", "socket.onopen = () => socket.send('list');</script>");
/** The first rows are there at once. */
const shownAtOnce = (page: string) => page.replace("more.onclick", "add(); more.onclick");

const asked = (path: string) => askingAtOnce(html(path, "add()"));
const addsMore = (path: string, count = 9) => html(path, "add()", "socket.send('more')", count);
const replaces = (path: string) => html(path, "list.innerHTML = ''; add()", "socket.send('next')");

/** Clients close a connection whose server gives no sign of life, which is one of every so many messages here. */
const SIGN_OF_LIFE = 5;
const impatient = (page: string) =>
  page
    .replace(
      "</script>",
      `let patience; const wait = () => { clearTimeout(patience); patience = setTimeout(() => socket.close(), 30_000); };
      let heard = 0; wait();</script>`,
    )
    .replace("({ data }) => {", `({ data }) => { if (++heard % ${SIGN_OF_LIFE} === 0) wait();`);

const button = { selector: "#more" };
const loadMore: Page = { pagination: { type: "load_more", ...button } };
const nextButton: Page = { pagination: { type: "next_button", ...button } };
const page = (content: string, count: number, more: Page = {}): Page => ({
  routes: (site) => ({ "/": content, ...serve(site) }),
  steps: [visit(), cardList],
  rows: lamps(1, count),
  ...more,
});
const missing = (why: string): Page => ({
  warnings: [{ code: "rows_may_be_missing", step: 1, message: why }],
});

export default {
  "a list": page(html("/first", "add()"), 3),
  "a list that is asked for": page(asked("/asked"), 3),
  "a list that is asked for, among other messages": page(asked("/busy"), 3),
  "batches of a list, among other messages": page(shownAtOnce(addsMore("/busy")), 9, loadMore),
  "pages of a list": page(shownAtOnce(replaces("/asked")), 9, nextButton),
  "pages of a list, among other messages": page(shownAtOnce(replaces("/busy")), 9, nextButton),
  "many batches of a list, by an impatient client": page(impatient(shownAtOnce(addsMore("/asked", 30))), 30, {
    ...loadMore,
    slow: "Ten batches take their time.",
  }),
  "batches of a list, asked for by requests": page(streamed(shownAtOnce(addsMore("/asked"))), 9, loadMore),
  "pages of a list, asked for by requests": page(streamed(shownAtOnce(replaces("/asked"))), 9, nextButton),
  "pages of a list, each by a stream of its own": page(
    streamedEach(shownAtOnce(replaces("/asked"))),
    9,
    nextButton,
  ),
  "batches of a list, each by a stream of its own, which draws them once the stream is closed": page(
    streamedEach(shownAtOnce(html("/asked", "setTimeout(add, 300)", "socket.send('more')"))),
    9,
    loadMore,
  ),
  "batches whose WebSocket is closed: the run says so": page(shownAtOnce(addsMore("/gone")), 6, {
    ...loadMore,
    ...missing("the WebSocket was closed"),
  }),
  "pages whose WebSocket is closed: the run says so": page(shownAtOnce(replaces("/gone")), 6, {
    ...nextButton,
    ...missing("the WebSocket was closed"),
  }),
  "pages by addresses, with WebSockets that close with their pages": {
    routes: (site) => ({
      ...serve(site),
      "/1": asked("/asked").replace("Lamp ", "Lamp 1."),
      "/2": asked("/asked").replace("Lamp ", "Lamp 2."),
      "/3": `${asked("/asked")}<script>list.remove()</script>`,
    }),
    steps: [visit("/1"), { ...cardList, timeout_ms: 10_000 }],
    pagination: { type: "url_template", url: `${SITE}/{page}` },
    rows: [1, 2].flatMap((number) => [1, 2, 3].map((n) => ({ name: `Lamp ${number}.${n}` }))),
  },
  "batches whose message has no answer: the run says so": page(askingAtOnce(addsMore("/silent")), 3, {
    ...loadMore,
    ...missing("no answer came within 5 seconds"),
    slow: "The answer is waited for three times, five seconds each.",
  }),
  "pages whose message has no answer: the run says so": page(askingAtOnce(replaces("/silent")), 3, {
    ...nextButton,
    ...missing("no answer came within 5 seconds"),
  }),
} satisfies Pages;
