import { expect, test } from "@jest/globals";
import { describeCapture } from "../../../functions/inspections/describe-capture.ts";
import { openExamples } from "../proposals/collect-examples.ts";

const examples = await openExamples();

/** The codes of the warnings about a page. */
async function warningsOf(html: string, secrets?: "covered" | "hidden"): Promise<string[]> {
  const url = "https://chairs.example/about";
  const snapshot = await examples.collect(html, url);
  const capture = { url, snapshot: JSON.stringify(snapshot), ...(secrets && { secrets }) };
  const { warnings } = describeCapture(capture, { want: ["lists"] }, { hasRows: false, isOk: true });
  return warnings.map(({ code }) => code);
}

const TEXT = "We make chairs from wood that grows near our workshop, as our grandparents did. ";
const part = (title: string, price = "") =>
  `<section><h2>${title}</h2><p>${title}. ${TEXT.repeat(3)}</p>${price}</section>`;

test("a page of text with two parts that look alike is no list for certain", async () => {
  expect(await warningsOf(`<main>${part("Our story")}${part("Our wood")}</main>`)).toEqual(["no_main_list"]);
});

test.each([
  ["two things with prices", [1, 2].map((n) => part(`Chair ${n}`, `<b>${n}9.50 €</b>`)).join("")],
  ["five posts", [1, 2, 3, 4, 5].map((n) => part(`Post ${n}`)).join("")],
  [
    "two short lines",
    ["Elm", "Fir"].map((tree) => `<li><b>${tree}</b> <i>Chair of ${tree}</i></li>`).join(""),
  ],
])("%s are a list", async (_, html) => {
  expect(await warningsOf(`<main style="font-size:30px">${html}</main>`)).toEqual([]);
});

test.each(["hidden", "covered"] as const)(
  "a picture that is %s because of a secret has a reason",
  async (secrets) => {
    expect(
      await warningsOf(`<main>${part("Chair", "<b>9 €</b>")}${part("Bench", "<b>8 €</b>")}</main>`, secrets),
    ).toEqual([`screenshot_${secrets}`]);
  },
);
