import { expect, test } from "@jest/globals";
import { startItemSite } from "./item-site.ts";

const { engine, site } = await startItemSite();

test("idle callbacks come once the document is parsed, in order, with a deadline, and can be cancelled", async () => {
  const path = site.newPath();
  site.setRoute(
    path,
    `<body><script>
      const calls = [];
      const note = (name) => requestIdleCallback((deadline) => calls.push(
        [name, deadline.didTimeout, deadline.timeRemaining() > 0, document.querySelector("p") !== null]));
      note("first");
      note("second");
      cancelIdleCallback(note("cancelled"));
      try { requestIdleCallback("no function"); } catch (error) { calls.push(error.name); }
      setTimeout(() => { document.querySelector("p").textContent = JSON.stringify(calls); }, 500);
    </script><p>Nothing yet</p>`,
  );
  const told = await engine.run({
    steps: [
      { type: "visit", url: site.url(path) },
      { type: "get_text", selector: "p", field_name: "calls" },
    ],
  });
  expect(JSON.parse(String(told.rows[0]?.calls))).toEqual([
    "TypeError",
    ["first", false, true, true],
    ["second", false, true, true],
  ]);
});
