/// <reference lib="dom" />
import { expect, test } from "@jest/globals";
import { toolsOf } from "../../../../functions/scraping/steps/dropdown/find-dropdown.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

const { engine, site } = await startEngineAndSite();

test("a scroll of a dropdown's list lasts until the page has noticed it", async () => {
  site.setRoute(
    "/list",
    `<!doctype html><div id=list role=listbox aria-label=City style="height:100px;overflow:auto">
      <div role=option style="height:4000px">Oslo</div></div><p id=log></p>
      <script>list.onscroll = () => { log.textContent += list.scrollTop + ";"; };</script>`,
  );
  const { tab, close } = await engine.browsers.lease();
  try {
    await tab.page.goto(site.url("/list"));
    const tools = await toolsOf(await tab.page.$("#list"), true);
    const noticed = await tools.evaluate(async (tools) => {
      await tools.scrollOn("Bergen", false);
      return document.querySelector("#log")?.textContent;
    });
    expect(noticed).toBe("80;");
  } finally {
    await close();
  }
});
