import {
  bare,
  hasNextClass,
  hasPreviousClass,
  isBackwardArrow,
  isCalled,
  isForwardArrow,
  meansAll,
  soundsLike,
} from "./control-words.ts";
import type { Control } from "./controls.ts";
import { numberedBy } from "./page-address.ts";
import { absolute, commonAncestor, type Tree, type TreeNode } from "./tree.ts";

const PAGER =
  /pag(?:e|er|ing|inat|nav|es)|(?:^|[-_])(?:nav(?:igation|links?)?|pager|pages|wp-pagenavi|nextprev|prevnext|toolbar)(?:$|[-_])/i;
const SLIDES =
  /carousel|slide|slick|swiper|bx-|nivo|flex-?(?:slider|nav)|cycle|scroller|fancybox|datepicker|gallery|calendar|datepicker|owl|flex-direction|lightbox|player|testimonial|ticker|rotator/i;
/** Controls that lead from one article to the next. */
const BETWEEN_ARTICLES =
  /post-?nav|nav-?(?:single|post)|post-?navigation|single-?nav|article-?nav|entry-?nav|story-?nav|nav-below-single|next-?(?:post|article|story|entry|thread|topic|chapter|project)(?!s)|adjacent/i;
const ARTICLE_WORDS =
  /^(?:next|nächster|próximo|siguiente|prochain|следующий)\s+(?:post|article|artikel|story|entry|thread|topic|chapter|project|beitrag|artículo|artigo|пост|photo|image|video|product|question|month|week|day|year|event|step|slide)(?:$|[^s\p{L}])/iu;
const OTHER_SITE = -60;
/** What goes on is not the list, but what readers say about an article. */
const COMMENTS = /comment|kommentar|comentario|commento|repl(?:y|ies)\b|antworten|réponses|ответ|коммент/i;
/** How far up the parts of a page that a control is in are looked at. */
const NEAR = 5;

/** Tells how likely controls of a page are those that show more of its list. */
export class ControlScorer {
  readonly #url: URL;
  /** The rows of the lists that may go on. */
  readonly #lists: readonly (readonly TreeNode[])[];
  readonly #headNext: URL | undefined;

  constructor({ snapshot }: Tree, lists: readonly (readonly TreeNode[])[]) {
    this.#lists = lists.filter(({ length }) => length > 4);
    this.#url = new URL(snapshot.url);
    this.#headNext = absolute(snapshot.nextLink, snapshot.base);
  }

  /** How likely a control shows the next page of a list. */
  scoreOf(control: Control): number {
    const { node, names, target, isDisabled } = control;
    const rel = (node.attribute("rel") ?? "").split(/\s+/);
    if (isDisabled || rel.includes("prev") || names.length + rel.length === 0) return 0;
    if (names.some((name) => COMMENTS.test(name))) return 0;
    if (names.some((name) => isCalled(name, "previous") || isCalled(name, "last") || meansAll(name)))
      return 0;
    const isWord = names.some((name) => isCalled(name, "next"));
    const isOlder =
      isWord &&
      names.some((name) =>
        /old|ält|ancien|antig|vecch|oud|ran|stars|star|prev|preced|anterior|eld|äld|vanh|régebbi|παλ|過去|古い|이전 글/i.test(
          name,
        ),
      );
    if (!isOlder && names.some(isBackwardArrow)) return 0;
    const own = classesAround(node, 1);
    if (!isOlder && own.some(hasPreviousClass)) return 0;
    let score = 0;
    if (rel.includes("next")) score += 45;
    if (isWord) score += 45;
    else if (names.some((name) => soundsLike(name, "next"))) score += 30;
    else if (names.some(isForwardArrow)) score += 30;
    else if (target && names.some((name) => isCalled(name, "more")) && this.#addressScore(target) > 0)
      score += 28;
    if (own.some(hasNextClass) || looksForward(node)) score += 32;
    if (score === 0) return 0;
    const near = classesAround(node, NEAR);
    if (near.some((name) => PAGER.test(name)) || [...node.around()].slice(1, NEAR).some(isNavigation))
      score += 10;
    const numbers = this.#numbersBeside(node);
    if (numbers >= 2) score += 20;
    // A slide show, a calendar or a gallery: the next page of a list has an address, or numbers beside it.
    else if (!target && !isScripted(node) && !near.some((name) => /pag(?:er|ing|inat)/i.test(name))) return 0;
    if (this.#lists.some((rows) => rows.some((row) => row.contains(node)))) score -= 40;
    if (target && this.#headNext?.href === target.href) score += 25;
    const byAddress = this.#addressScore(target);
    // Among numbers, it is a pager's, wherever it leads to on this site.
    score += numbers >= 2 && byAddress > OTHER_SITE ? Math.max(0, byAddress) : byAddress;
    if (near.some((name) => SLIDES.test(name)) || /calendar/i.test(this.#url.pathname)) score -= 45;
    if (near.some((name) => BETWEEN_ARTICLES.test(name)) || names.some((name) => ARTICLE_WORDS.test(name)))
      score -= 50;
    // A link that is named after what it leads to.
    if (!isWord && names.length > 0 && names.every((name) => name.length > 30)) score -= 30;
    return score;
  }

  #addressScore(target: URL | undefined): number {
    if (!target) return 0;
    const here = withoutHash(this.#url);
    const hostOf = ({ host }: URL) => host.replace(/^www\./, "");
    if (hostOf(target) !== hostOf(here)) return OTHER_SITE;
    if (target.href === here.href) return -10;
    const numbered = numberedBy(here, target);
    if (numbered) return numbered.number > (numbered.from ?? 0) ? 22 : 0;
    const isBelow = target.pathname.startsWith(here.pathname.replace(/[^/]*$/, "")) && here.pathname !== "/";
    if (target.pathname === here.pathname) return 0;
    // The next article has another path; the next page of a list rarely has.
    if ((isTitle(here) && isTitle(target)) || (isDated(here) && isDated(target))) return -50;
    return isBelow || /\d/.test(target.search) ? 0 : -25;
  }

  /** How likely a control below a list adds rows to it. */
  moreScoreOf({ node, names, target, isDisabled }: Control, list: readonly TreeNode[]): number {
    const last = list.at(-1);
    if (names.some((name) => COMMENTS.test(name))) return 0;
    if (isDisabled || target || !last || last.index > node.index || last.contains(node)) return 0;
    const isCalledMore = names.some((name) => isCalled(name, "more"));
    if (!isCalledMore && !names.some((name) => soundsLike(name, "more") && name.length < 30)) return 0;
    const box = commonAncestor([...list, node]);
    const distance = [...node.around()].indexOf(box as TreeNode);
    if (distance > NEAR || [...node.around()].slice(0, distance).some(isElsewhere)) return 0;
    const isPhrase = names.some((name) => isCalled(name, "more") && bare(name).includes(" "));
    return isPhrase ? 65 : 45;
  }

  /** Links named by numbers that stand beside a control. */
  #numbersBeside(node: TreeNode): number {
    let box: TreeNode | undefined = node.parent;
    for (let level = 0; box && level < 3; level += 1, box = box.parent) {
      const items = [...box.descendants()].slice(0, 80);
      const numbers = items.filter(
        ({ ownText, children }) => children.length === 0 && /^[[(]?\d{1,4}[\])]?$/.test(ownText),
      );
      if (numbers.length >= 2) return items.length > 79 ? 0 : numbers.length;
    }
    return 0;
  }
}

const withoutHash = (url: URL) => {
  const copy = new URL(url);
  copy.hash = "";
  return copy;
};

const isNavigation = (node: TreeNode) => node.tag === "nav" || node.attribute("role") === "navigation";

const classesAround = (node: TreeNode, levels: number): string[] =>
  [...node.around()]
    .slice(0, levels + 1)
    .flatMap((at) => [...at.classes, at.attribute("id") ?? ""])
    .filter(Boolean);

/** A link that runs a script, as in the forms of ASP.NET. */
const isScripted = (node: TreeNode) => /^javascript:.*\w{5}\(/i.test(node.attribute("href") ?? "");

const isElsewhere = ({ tag }: TreeNode) =>
  tag === "nav" || tag === "header" || tag === "footer" || tag === "aside";

/** Whether an address ends with the words of a title, as those of articles do. */
const isTitle = ({ pathname }: URL) =>
  (pathname.replace(/\/$/, "").split("/").at(-1) ?? "").split(/[-_]/).length > 3;

const isDated = ({ pathname }: URL) => /\/(?:19|20)\d\d\/\d{1,2}\/[^/]*[a-z]/i.test(pathname);

/** A picture or an icon that points forward. */
const looksForward = (node: TreeNode): boolean =>
  [...node.descendants()].some(
    ({ tag, classes, attributes: { src = "" } }) =>
      classes.some((name) =>
        /(?:chevron|angle|arrow|caret)s?(?:-double)?-(?:circle-)?right|^(?:icon-)?next$/i.test(name),
      ) ||
      (tag === "img" && /(?:^|[/_-])(?:next|forward|arrow-?_?right)[^/]*$/i.test(src)),
  );
