import { expect, test } from "@jest/globals";
import { BLOCKED_REQUESTS } from "../../../../functions/scraping/page/prepare-page.ts";

test.each([
  ["https://www.google-analytics.com/g/collect?v=2", true],
  ["https://doubleclick.net/", true],
  ["https://stats.g.doubleclick.net:8443/dc.js", true],
  ["http://evildoubleclick.net/", false],
  ["https://doubleclick.net.example.com/", false],
  ["https://shop.example.com./list", false],
  ["https://shop.example.com/?from=https://www.hotjar.com/", false],
  ["https://hotjar.com.example.com/www.hotjar.com/", false],
])("%s is a tracker's: %s", (address, isTracker) => {
  const first = BLOCKED_REQUESTS.find(({ urlPattern }) => new URLPattern(urlPattern).test(address));
  expect(first?.block ?? false).toBe(isTracker);
});
