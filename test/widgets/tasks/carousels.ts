import { books } from "../data.ts";
import { SITE, type Task } from "../task.ts";
import { booksOf, cardRows, cards, list, rowsOf } from "./definitions.ts";

const titlesOf = (count: number) => rowsOf(books.slice(0, count), "title");

/** A carousel that copies its slides: its page has more of them than it has books. */
const loop = (name: string, library: string, page: string, selector: string): Task => ({
  name: `${name}: slides with copies`,
  library,
  page,
  steps: [list(selector, { title: "h3" })],
  expected: titlesOf(12),
  warning: "rows_repeated",
});

/** A filter that fades out what it hides. */
const filter = (name: string, library: string, page: string, selector: string): Task => ({
  name: `${name}: a filter`,
  library,
  page,
  steps: [{ type: "click", field_name: "Poetry" }, list(`${selector}:visible`, { title: "b", price: "i" })],
  expected: booksOf("Poetry"),
  act: (page) => page.getByRole("button", { name: "Poetry" }).click(),
});

/** Slides of which only those near the view exist. */
const swiper = (what: string, page: string): Task => ({
  name: `Swiper: ${what}`,
  library: "swiper",
  page,
  steps: [list(".swiper-slide", { title: "h3" }, { key: ["title"] })],
  pagination: { type: "next_button", field_name: "Next slide" },
  expected: titlesOf(30),
});

/** Tasks for pages that show parts of a list at a time, or fill them in view. */
export const carousels: Task[] = [
  loop("Glide", "@glidejs/glide", "glide", ".glide__slide"),
  loop("Slick", "slick-carousel", "slick", ".slick-slide"),
  loop("Splide", "@splidejs/splide", "splide", ".splide__slide"),
  swiper("virtual slides", "swiper"),
  swiper("virtual slides that scroll", "swiper-css"),
  filter("Isotope", "isotope-layout", "isotope", ".book"),
  filter("MixItUp", "mixitup", "mixitup", ".mix"),
  {
    name: "Lozad: addresses of images",
    library: "lozad",
    page: "lozad",
    steps: [
      {
        type: "get_list",
        selector: "figure",
        fields: [
          { name: "title", selector: "figcaption" },
          { name: "cover", selector: "img", attribute: "src" },
        ],
      },
    ],
    expected: books.map(({ id, title }) => ({ title, cover: `${SITE}/data/books?id=${id}` })),
  },
  {
    name: "CountUp.js: numbers in view",
    library: "countup.js",
    page: "countup",
    steps: [list(".book", { title: "h3", year: "b" })],
    expected: rowsOf(books.slice(0, 8), "title", "year"),
    async act(page) {
      await page.locator(".book").first().hover();
      for (let turn = 0; turn < 10; turn += 1) {
        await page.mouse.wheel(0, 250);
        await page.waitForTimeout(300);
      }
      await page.waitForTimeout(2_000);
    },
  },
  {
    name: "SimpleBar: a list that grows in its box",
    library: "simplebar",
    page: "simplebar",
    steps: [cards],
    pagination: { type: "infinite_scroll" },
    expected: cardRows(48),
  },
];
