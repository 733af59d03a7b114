"""Reads lists with Crawl4AI. Each line of the input is a task, each line of the output its rows or its error, as JSON.

The first line of the output, {}, says that the crawler is ready.
"""

import asyncio
import json
import sys
from contextlib import redirect_stdout

from bs4 import BeautifulSoup
from crawl4ai import (
    AsyncWebCrawler,
    BrowserConfig,
    CacheMode,
    CrawlerRunConfig,
    JsonCssExtractionStrategy,
)

PAGES_MAX = 100
# Clicks until the button is gone, as the documentation's example with one call does.
LOAD_MORE = """
for (let clicks = 0; clicks < %d; clicks += 1) {
  const button = document.querySelector(%s);
  if (!button || button.disabled || button.offsetParent === null) break;
  button.click();
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
"""
# Notes the first row before a click; the wait ends when it is another one, as in the documentation's example of sessions.
NEXT = """
const rows = document.querySelectorAll(%s);
window.firstRow = rows[0]?.textContent;
document.querySelector(%s)?.click();
"""
NEXT_DONE = """() => {
  const rows = document.querySelectorAll(%s);
  return rows.length > 0 && rows[0].textContent !== window.firstRow;
}"""


def is_pressable(html, control):
    found = BeautifulSoup(html, "lxml").select_one(control)
    if found is None or found.has_attr("disabled") or found.get("aria-disabled") == "true":
        return False
    around = [found, *list(found.parents)[:2]]
    return not any("disabled" in (element.get("class") or []) for element in around)


async def read(crawler, task):
    field = lambda asked: {
        "name": asked["name"],
        **({"selector": asked["selector"]} if "selector" in asked else {}),
        **({"type": "attribute", "attribute": asked["attribute"]} if "attribute" in asked else {"type": "text"}),
    }
    schema = {"name": "rows", "baseSelector": task["selector"], "fields": [field(asked) for asked in task["fields"]]}
    common = {
        "extraction_strategy": JsonCssExtractionStrategy(schema),
        "cache_mode": CacheMode.BYPASS,
        "session_id": task["name"],
        "verbose": False,
    }
    kind, control = task["pagination"], task.get("control")
    more = {}
    if kind == "infinite_scroll":
        more = {"scan_full_page": True, "scroll_delay": 0.5}
    elif kind == "load_more":
        more = {"js_code": LOAD_MORE % (PAGES_MAX, json.dumps(control))}
    rows = []
    try:
        for page in range(PAGES_MAX):
            if page > 0:
                more = {
                    "js_only": True,
                    "js_code": NEXT % (json.dumps(task["selector"]), json.dumps(control)),
                    "wait_for": "js:" + NEXT_DONE % json.dumps(task["selector"]),
                    "wait_for_timeout": 10_000,
                }
            else:
                more = {"wait_for": "css:" + task["selector"], "wait_for_timeout": 10_000, **more}
            result = await crawler.arun(url=task["url"], config=CrawlerRunConfig(**common, **more))
            if not result.success:
                raise RuntimeError(result.error_message)
            rows += json.loads(result.extracted_content or "[]")
            if kind != "next_button" or not is_pressable(result.html, control):
                return rows
        raise RuntimeError(f"not at the end after {PAGES_MAX} pages")
    finally:
        await crawler.crawler_strategy.kill_session(task["name"])


async def main():
    output = sys.stdout
    config = BrowserConfig(cdp_url=sys.argv[1], create_isolated_context=True, verbose=False)
    with redirect_stdout(sys.stderr):
        async with AsyncWebCrawler(config=config) as crawler:
            print("{}", file=output, flush=True)
            for line in sys.stdin:
                try:
                    answer = {"rows": await read(crawler, json.loads(line))}
                except Exception as error:
                    answer = {"error": str(error)}
                print(json.dumps(answer), file=output, flush=True)


asyncio.run(main())
