import { books } from "../data.ts";
import { card, html, jquery, type Render, script, style } from "./html.ts";

const titles = (count: number, tag: string, className: string) =>
  books
    .slice(0, count)
    .map(({ title }) => `<${tag} class="${className}"><h3>${title}</h3></${tag}>`)
    .join("");

const swiper =
  (options: string): Render =>
  () =>
    html(
      "Swiper",
      style("swiper/swiper-bundle.min.css") + script("swiper/swiper-bundle.min.js"),
      `<div class="swiper" style="width:600px;height:200px"><div class="swiper-wrapper"></div><div class="swiper-button-next"></div></div>
<script>
const slides = ${JSON.stringify(books.slice(0, 30).map(({ title }) => `<h3>${title}</h3>`))};
new Swiper(".swiper", { ${options}slidesPerView: 3, navigation: { nextEl: ".swiper-button-next" }, virtual: { slides } });
</script>`,
    );

/** Pages that show parts of a list at a time, or fill them in view. */
export const carouselPages: Record<string, Render> = {
  glide: () =>
    html(
      "Glide",
      style("@glidejs/glide/dist/css/glide.core.min.css") + script("@glidejs/glide/dist/glide.min.js"),
      `<div class="glide"><div class="glide__track" data-glide-el="track"><ul class="glide__slides">${titles(12, "li", "glide__slide")}</ul></div></div>
<script>new Glide(".glide", { type: "carousel", perView: 3 }).mount();</script>`,
    ),
  slick: () =>
    html(
      "Slick",
      style("slick-carousel/slick/slick.css") + jquery + script("slick-carousel/slick/slick.min.js"),
      `<div class="books">${titles(12, "div", "book")}</div>
<script>$(".books").slick({ slidesToShow: 3, infinite: true });</script>`,
    ),
  splide: () =>
    html(
      "Splide",
      style("@splidejs/splide/dist/css/splide-core.min.css") +
        script("@splidejs/splide/dist/js/splide.min.js"),
      `<section class="splide" aria-label="Books"><div class="splide__track"><ul class="splide__list">${titles(12, "li", "splide__slide")}</ul></div></section>
<script>new Splide(".splide", { type: "loop", perPage: 3 }).mount();</script>`,
    ),
  swiper: swiper(""),
  "swiper-css": swiper("cssMode: true, "),
  isotope: () =>
    html(
      "Isotope",
      script("isotope-layout/dist/isotope.pkgd.min.js"),
      `<button data-filter=".Poetry">Poetry</button><div class="grid">${books.map(({ title, genre, price }) => `<div class="book ${genre}" style="width:150px;height:80px"><b>${title}</b> <i>${price}</i></div>`).join("")}</div>
<script>
const grid = new Isotope(".grid", { itemSelector: ".book" });
document.querySelector("button").onclick = ({ target }) => grid.arrange({ filter: target.dataset.filter });
</script>`,
    ),
  mixitup: () =>
    html(
      "MixItUp",
      script("mixitup/dist/mixitup.min.js"),
      `<button type="button" data-filter=".Poetry">Poetry</button><div class="grid">${books.map(({ title, genre, price }) => `<div class="mix ${genre}" style="display:inline-block;width:150px;height:80px"><b>${title}</b> <i>${price}</i></div>`).join("")}</div>
<script>mixitup(".grid");</script>`,
    ),
  lozad: ({ origin }) =>
    html(
      "Lozad",
      script("lozad/dist/lozad.min.js"),
      `${books.map(({ id, title }) => `<figure style="height:200px"><img class="lozad" data-src="${origin}/data/books?id=${id}" width="90" height="150"><figcaption>${title}</figcaption></figure>`).join("")}
<script>lozad().observe();</script>`,
    ),
  countup: () =>
    html(
      "CountUp.js",
      script("countup.js/dist/countUp.umd.js"),
      `<h1>Years</h1>${books
        .slice(0, 8)
        .map(
          ({ title, year }) =>
            `<section class="book" style="height:250px"><h3>${title}</h3><b data-end="${year}">0</b></section>`,
        )
        .join("")}
<script>
for (const number of document.querySelectorAll("b"))
  new countUp.CountUp(number, Number(number.dataset.end), { autoAnimate: true, autoAnimateOnce: true, useGrouping: false });
</script>`,
    ),
  simplebar: () =>
    html(
      "SimpleBar",
      style("simplebar/dist/simplebar.min.css") + script("simplebar/dist/simplebar.min.js"),
      `<div data-simplebar id="box" style="height:400px"><div id="list">${books.slice(0, 12).map(card).join("")}</div></div>
<script>
addEventListener("DOMContentLoaded", () => {
  const scroller = SimpleBar.instances.get(document.getElementById("box")).getScrollElement();
  let count = 12, isLoading = false;
  scroller.addEventListener("scroll", async () => {
    if (isLoading || count >= 48 || scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 100) return;
    isLoading = true;
    const { rows } = await (await fetch("/data/books?limit=12&offset=" + count)).json();
    count += rows.length;
    document.getElementById("list").insertAdjacentHTML("beforeend", rows.map((book) => \`<article class="card"><h3>\${book.title}</h3><p class="author">\${book.author}</p><p class="price">\${book.price}</p></article>\`).join(""));
    isLoading = false;
  });
});
</script>`,
    ),
};
