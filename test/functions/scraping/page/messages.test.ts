/// <reference lib="dom" />
import { expect, test } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/** Pages that get their content by messages of a WebSocket, as those of LiveView and Blazor do. */

const { engine, site } = await startEngineAndSite();
const DELAY_MS = 900;

// A text frame: "1".
const message = Buffer.from([0x81, 1, 0x31]);
site.onSocket((path, socket) => {
  if (path === "/first") setTimeout(() => socket.write(message), DELAY_MS);
  else
    socket.on("data", (data) => {
      const isText = ((data[0] ?? 0) & 0x0f) === 1;
      if (isText) setTimeout(() => socket.write(message), DELAY_MS);
    });
});

const page = (
  path: string,
  onMessage: string,
  onPress = "",
) => `<ul id=list></ul><button id=more>More</button><script>
  const list = document.getElementById("list"), more = document.getElementById("more"); let shown = 0;
  const add = () => { for (let n = 0; n < 3; n += 1) { shown += 1; list.insertAdjacentHTML("beforeend", "<li>Lamp " + shown + "</li>"); }
    if (shown >= 9) more.remove(); };
  const socket = new WebSocket("ws://" + location.host + "${path}"); socket.onmessage = () => { ${onMessage} };
  more.onclick = () => { ${onPress} };</script>`;

const button = { selector: "#more" };
const none: Pagination = { type: "none" };
const loadMore: Pagination = { type: "load_more", ...button };

test.concurrent.each([
  ["a list", none, page("/first", "add()"), 3],
  [
    "a list that is asked for",
    none,
    page("/asked", "add()").replace("</script>", "socket.onopen = () => socket.send('list');</script>"),
    3,
  ],
  [
    "batches of a list",
    loadMore,
    page("/asked", "add()", "socket.send('more')").replace("more.onclick", "add(); more.onclick"),
    9,
  ],
  [
    "pages of a list",
    { type: "next_button", ...button },
    page("/asked", "list.innerHTML = ''; add()", "socket.send('next')").replace(
      "more.onclick",
      "add(); more.onclick",
    ),
    9,
  ],
] as const)("%s by messages", async (_, pagination, html, count) => {
  const path = site.newPath();
  site.setRoute(path, html);
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_list", selector: "li", fields: [{ name: "name" }] },
    ],
    pagination,
  });
  const rows = Array.from({ length: count }, (_, index) => ({ name: `Lamp ${index + 1}` }));
  expect(told).toMatchObject({ failure: undefined, rows, warnings: [] });
});
