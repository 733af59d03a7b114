import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/* Pages whose only scripts are in attributes. They change what the server sent as any script does. */

const { engine, site } = await startEngineAndSite();

const change = "for (const at of document.querySelectorAll('.name')) at.textContent += ' sold'";
const rows =
  "<li class=card><span class=name>Lamp</span></li><li class=card><span class=name>Chair</span></li>";

const pages: [string, string][] = [
  ["the body, when the page has loaded", `<body onload="${change}"><ul>${rows}</ul>`],
  ["the body, by a timer", `<body onload="setTimeout(() => { ${change} }, 800)"><ul>${rows}</ul>`],
  ["a style sheet", `<link rel=stylesheet href="/handler.css" onload="${change}"><ul>${rows}</ul>`],
  [
    "a style sheet that is missing",
    `<link rel=stylesheet href="/none.css" onerror="${change}"><ul>${rows}</ul>`,
  ],
  [
    "details that are open",
    `<ul>${rows}</ul><details open ontoggle="${change}"><summary>More</summary></details>`,
  ],
  ["a frame", `<ul>${rows}</ul><iframe srcdoc="<p>Frame</p>" onload="${change}"></iframe>`],
  ["a drawing", `<ul>${rows}</ul><svg onload="${change}"></svg>`],
];
site.setRoute("/handler.css", (_, response) => {
  response.writeHead(200, { "content-type": "text/css", "cache-control": "no-store" }).end("p{color:red}");
});

test.concurrent.each(pages)("a script of %s", async (_, html) => {
  const path = site.newPath();
  site.setRoute(path, (request, response) => {
    const isLast = request.url?.includes("page=2");
    const next = isLast ? "" : `<a class=next href="${path}?page=2">Next</a>`;
    sendHtml(response, `<!doctype html><meta charset=utf-8>${html}${next}`);
  });
  for (const reading of ["browser", "auto"] as const) {
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: ".card", fields: [{ name: "name", selector: ".name" }] },
      ],
      pagination: { type: "next_button", selector: ".next" },
      engine: reading,
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows.map(({ name }) => name)).toEqual([1, 2].flatMap(() => ["Lamp sold", "Chair sold"]));
  }
});
