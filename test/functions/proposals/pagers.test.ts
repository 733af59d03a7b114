import { describe, expect, test } from "@jest/globals";
import { propose } from "../../../functions/proposals/propose.ts";
import { openExamples } from "./collect-examples.ts";

const examples = await openExamples();

const WANTED = "data-wanted";
const TREES = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel"];
const rows = TREES.map(
  (tree) => `<li class="tree"><h3><a href="/t/${tree}">${tree} tree</a></h3> <i>4 m</i></li>`,
);
const list = `<ul class="trees">${rows.join("")}</ul>`;
const text = `<div class="text">${`<p>${"Trees have a trunk, and branches with leaves. ".repeat(12)}</p>`.repeat(4)}</div>`;

/** What is proposed, and whether its control is the one with `data-wanted`. */
async function proposalsFor(html: string, url: string) {
  const snapshot = await examples.collect(`<div class="wrap"><h1>Trees</h1>${html}</div>`, url);
  const wanted = snapshot.elements.findIndex(({ attributes }) => attributes?.[WANTED] !== undefined);
  delete snapshot.elements[wanted]?.attributes?.[WANTED];
  const { pagination } = propose(snapshot);
  return { wanted, pagination };
}

const LIST = "https://trees.example/list";

describe("the control of the next page", () => {
  test.each([
    ["in full-width letters", LIST, '<p><a data-wanted href="/list?page=2">ＮＥＸＴ</a></p>'],
    [
      "in Japanese, with what is next",
      LIST,
      '<p><a data-wanted href="/list?page=2">次のページへ＞＞</a></p>',
    ],
    ["in Japanese, with a number of rows", LIST, '<p><a data-wanted href="/list?p=2">次の30件</a></p>'],
    ["in Chinese, with a count of pages", LIST, '<p><a data-wanted href="/list?p=2">下一页(2/30)</a></p>'],
    ["in Turkish, whose capital I has a dot", LIST, '<p><a data-wanted href="/list?s=2">İleri »</a></p>'],
    ["in Hebrew", LIST, '<p><a data-wanted href="/list?page=2">לדף הבא »</a></p>'],
    ["in Georgian", LIST, '<p><a data-wanted href="/list?page=2">შემდეგი</a></p>'],
    ["in Spanish without its accent", LIST, '<p><a data-wanted href="/list?pagina=2">Pagina proxima</a></p>'],
    ["in a short form", LIST, '<p><a data-wanted href="/list?page=2">След. страница</a></p>'],
    ["as an arrow with a shaft", LIST, '<p><a data-wanted href="/list?page=2">--&gt;</a></p>'],
    [
      "as an icon that has the label",
      LIST,
      '<p><a data-wanted href="/list?page=2"><b aria-label="Next"><img src="/n.gif" width="9" height="9"></b></a></p>',
    ],
    [
      "as a button whose box has the title",
      LIST,
      '<p><b title="Next page"><button data-wanted><img src="/n.gif" width="9" height="9"></button></b></p>',
    ],
    [
      "as a button of the same name as one that passes over pages",
      LIST,
      '<ul class="pager"><li title="Next 5 Pages"><button aria-label="next page"></button></li><li title="Next Page"><button data-wanted aria-label="next page"></button></li></ul>',
    ],
    [
      "as a link whose class says that it is not the current page",
      LIST,
      '<p><a class="current" href="/list">1</a> <a class="inactive" href="/list?page=2">2</a> <a data-wanted class="inactive" href="/list?page=2">Next</a></p>',
    ],
    [
      "as a picture called after the next page",
      LIST,
      '<p><a data-wanted href="/list?page=2"><img src="/btn_nextpage.gif" width="9" height="9"></a></p>',
    ],
    [
      "as an icon whose class has one letter more",
      LIST,
      '<p class="pager"><a data-wanted class="pnext" href="/list?page=2"><img src="/n.gif" width="9" height="9"></a></p>',
    ],
    ["as a button that holds a page", LIST, '<p><a data-wanted href="#" data-page="2">Next</a></p>'],
    [
      "as a new page of the title",
      "https://trees.example/trees-in-new-york-city.html",
      '<p><a data-wanted href="/trees-in-new-york-city-page-2.html">Next</a></p>',
    ],
    [
      "with more parameters than the page has",
      LIST,
      '<p><a data-wanted href="/list?sort=name&amp;page=2">&gt;</a></p>',
    ],
    [
      "marked as previous, where the number of the page grows",
      LIST,
      '<p class="nav-previous"><a data-wanted href="/list/page/2">Next page</a></p>',
    ],
    [
      "of a gallery with numbered pages",
      LIST,
      '<p class="gallery-nav"><a data-wanted href="/list?page=2">›</a></p>',
    ],
    [
      "of a blog with a navigation of posts",
      LIST,
      '<p class="post-nav"><a data-wanted href="/list/page/2">→</a></p>',
    ],
    [
      "on another host of the site",
      LIST,
      '<p class="pages"><a data-wanted href="https://m.trees.example/list?page=2">Next</a></p>',
    ],
    ["as a sentence", LIST, '<p><a data-wanted href="/list?page=2">Go to the next page of results</a></p>'],
    ["as a number of rows to show", LIST, '<p><a data-wanted href="/list?page=2">Show next 20 items</a></p>'],
    [
      "as a number of rows in a folder",
      `${LIST}/`,
      '<p><a data-wanted href="index100.html">next 100 posts</a></p>',
    ],
    [
      "as the numbers of the next rows",
      LIST,
      '<p>1 – 25 <a data-wanted href="/list?from=26">26 – 50 &gt;</a></p>',
    ],
    ["as the number of the next page", LIST, '<p><a data-wanted href="/list?page=2">Page 2 »</a></p>'],
    [
      "as an arrow of two small ones, among numbers",
      LIST,
      '<p><a href="/list?p=2">2</a> <a href="/list?p=3">3</a> <a data-wanted href="/list?p=2">≫</a></p>',
    ],
    [
      "as a picture of an arrow",
      LIST,
      '<p><a href="/list?p=2">2</a> <a href="/list?p=3">3</a> <a data-wanted href="/list?p=2"><img src="/arrow_r.gif" width="9" height="9"></a></p>',
    ],
    [
      "as a picture, on a numbered page",
      `${LIST}.html`,
      '<a data-wanted href="list2.html"><img src="/icn_next1.gif" width="9" height="9"></a>',
    ],
    [
      "as older posts in German",
      "https://trees.example/",
      '<p class="blog-pager"><a data-wanted href="/search?updated-max=2014-05-05">Ältere Posts</a></p>',
    ],
    [
      "as the previous page of a blog that counts back",
      "https://trees.example/",
      '<p><a data-wanted href="/page/2/">« Previous Page</a></p>',
    ],
    [
      "as previous rows that a blog counts back by",
      "https://trees.example/",
      '<p><a data-wanted href="/?skip=20">Previous 20</a></p>',
    ],
    [
      "with a number inside the title in the address",
      "https://trees.example/All-g607-Trees_of_New_York.html",
      '<p class="pagination"><a data-wanted href="/All-g607-oa30-Trees_of_New_York.html">Next</a></p>',
    ],
    [
      "with a number after the title in the address",
      "https://trees.example/which-tree-is-the-best-t12.html",
      '<p><a data-wanted href="/which-tree-is-the-best-t12-15.html">Next</a></p>',
    ],
    [
      "with an address of another form",
      "https://trees.example/wiki/Trees",
      '<p>(<a data-wanted href="/w/index.php?title=Trees&amp;from=Elm">next page</a>)</p>',
    ],
    [
      "as a button that says which page this is",
      LIST,
      '<div>Page 1 of 4 <button data-wanted class="next">Next</button></div>',
    ],
    [
      "as a form that only holds the page",
      LIST,
      '<form><input type="hidden" name="p" value="2"><input data-wanted type="submit" value="Next &gt;"></form>',
    ],
    [
      "as a button without words, whose title says it",
      LIST,
      '<div><input data-wanted type="submit" value=" " title="Next Page"></div>',
    ],
  ])("%s is found", async (_, url, html) => {
    const { wanted, pagination } = await proposalsFor(list + html, url);
    const [next] = pagination;
    expect(next?.pagination.type).toBe("next_button");
    expect(next?.elements).toEqual([wanted]);
  });

  test.each([
    [
      "table",
      `<table>${TREES.map((tree) => `<tr><td><a href="/t/${tree}">${tree}</a></td><td>${tree.length} m</td></tr>`).join("")}`,
      '<tr><td><a data-wanted href="/list?p=2">Next &gt;&gt;</a></td><td></td></tr></table>',
    ],
    [
      "list",
      TREES.map((tree) => `<div class="row"><h4><a href="/t/${tree}">${tree}</a></h4></div>`).join(""),
      '<div class="row"><h4><a data-wanted href="/list?p=2">Next</a></h4></div>',
    ],
  ])("in the last row of a %s is found", async (_, items, last) => {
    const { wanted, pagination } = await proposalsFor(items + last, LIST);
    expect(pagination[0]?.elements).toEqual([wanted]);
  });
});

describe("what leads away from the list is not proposed", () => {
  const POST = "https://trees.example/2020/01/24/all-about-elms/";
  test.each([
    ["the next topic of a forum", `${LIST}?topic=12`, '<p><a href="?topic=12;prev_next=next">next »</a></p>'],
    [
      "the next month",
      "https://trees.example/events/2014-05",
      '<p><a href="/events/2014-06">›</a> <a href="/d/1">1</a> <a href="/d/2">2</a></p>',
    ],
    [
      "a record with a larger number",
      "https://trees.example/?p=2895",
      '<p class="pager next"><a rel="next" href="/?p=2905">Weiter</a></p>',
    ],
    [
      "the next article by date",
      POST,
      '<nav id="nav-single"><span class="nav-next"><a rel="next" href="/2020/01/25/firs/">Next →</a></span></nav>',
    ],
    [
      "the article that a link is named after",
      "https://trees.example/elms/",
      '<p class="navigation next"><a rel="next" href="/fir-and-larch/">Fir and larch.</a></p>',
    ],
    [
      "the next article in words",
      "https://trees.example/elms/",
      '<p class="next"><a rel="next" href="/firs/">Nächster Beitrag</a></p>',
    ],
    [
      "an older article of a numbered blog",
      "https://trees.example/post/96439224994/elms",
      '<p class="older"><a href="/post/89960443749">Older</a></p>',
    ],
    [
      "newer posts, whose arrow points forward",
      `${LIST}/page/2`,
      '<p class="next"><a href="/list">新しい投稿 →</a></p>',
    ],
    [
      "a menu with an arrow",
      LIST,
      '<ul class="navbar-nav"><li><a href="/oaks">Oaks <i class="fa-chevron-right">&nbsp;</i></a></li></ul>',
    ],
    [
      "a trail of arrows",
      "https://trees.example/a/b",
      '<div class="page"><p class="breadcrumb"><a href="/">Home</a> <a href="/a/">&gt;</a> <a href="/a/c">»</a></p></div>',
    ],
    [
      "an archive that opens, with years and counts",
      LIST,
      '<ul class="nav"><li><a href="javascript:void(0)">►</a> <b>2014</b> <i>(12)</i></li><li><b>2013</b> <i>(13)</i></li></ul>',
    ],
    [
      "pages of comments",
      "https://trees.example/elm.html",
      '<p class="pages"><a href="/elm.html/comment-page-2">Next</a></p>',
    ],
    [
      "a step of a form that asks for something",
      LIST,
      '<form><input name="mail"> <button class="next">Next</button></form>',
    ],
    ["more comments", LIST, '<div class="comment-thread"><button>Load more</button></div>'],
    ["a menu called more", LIST, '<div class="dropdown"><button class="dropdown-toggle">More</button></div>'],
    ["a link whose address can't be read", LIST, '<a href="http://">Show more</a>'],
  ])("%s", async (_, url, html) => {
    expect((await proposalsFor(list + html, url)).pagination).toEqual([]);
  });

  test("a button that shows more of what stands in one row", async () => {
    const boxes = `<div class="box"><h2>Trees</h2><p>Some of them</p><button>Show more</button></div>${'<div class="box"><h2>Trees</h2><p>Others</p></div>'.repeat(3)}`;
    expect((await proposalsFor(boxes, LIST)).pagination).toEqual([]);
  });

  test.each([
    ["a button for more", "<button>Show more</button>"],
    ["a next link to another page", '<p class="pager"><a href="/firs">Next</a></p>'],
  ])("%s below the text of an article", async (_, control) => {
    const { pagination } = await proposalsFor(text + list + control, "https://trees.example/elms");
    expect(pagination).toEqual([]);
  });

  test("pages of a list below a long text are found by their numbers", async () => {
    const html = `${text}${list}<p class="pager"><a data-wanted href="/list?page=2">Next</a></p>`;
    const { wanted, pagination } = await proposalsFor(html, LIST);
    expect(pagination[0]?.elements).toEqual([wanted]);
  });
});
