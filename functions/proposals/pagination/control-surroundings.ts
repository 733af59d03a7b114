import type { TreeNode } from "../tree.ts";
import { isCalled, isForwardArrow } from "./control-words.ts";
import { type Control, INSIDE_MAX } from "./controls.ts";

// Checks of the elements around a control, and of its icons.

/** Classes and ids of pagers, and of navigation that may be a pager. */
const PAGER =
  /pag(?:er|ing|inat|e-?nav|e-?num|e-?link|e-?list|es?-?nate)|(?:^|[-_])(?:nav(?:igation|i|links?)?|pages|pg|wp-pagenavi|nextprev|prevnext|toolbar)(?:$|[-_])/i;
/** Classes and ids of pagers only. */
const PAGER_CLASS = /pag(?:er|ing|inat|e-?(?:nav|num|link|list))|(?:^|[-_])pages(?:$|[-_])/i;
/** Classes and ids of slide shows, galleries and calendars, whose controls do not show the next page of a list. */
export const SLIDES =
  /carousel|slide|slick|swiper|bx-|nivo|flex-?(?:slider|nav)|cycle|scroller|fancybox|datepicker|gallery|calendar|owl|flex-direction|lightbox|player|testimonial|ticker|rotator/i;
/** Classes and ids of breadcrumbs. */
const TRAIL = /(?:bread)?crumb|(?:^|[-_])(?:ariane|trail|you-?are-?here|pathway)(?:$|[-_])/i;
/** Classes and ids of controls that lead from one article to the next. */
const BETWEEN_ARTICLES =
  /post-?nav|nav-?(?:single|post)|post-?navigation|single-?nav|article-?nav|entry-?nav|story-?nav|nav-below-single|next-?(?:post|article|story|entry|thread|topic|chapter|project)(?!s)|adjacent/i;
/** Things that have a page of their own. "Next" and such a word leads to one thing, not to more rows of a list. */
const THING =
  "post|article|artikel|story|entry|thread|topic|chapter|project|beitrag|artículo|artigo|articolo|bericht|wpis|artykuł|пост|запись|статья|тема|photo|image|video|product|question|month|week|day|year|event|step|slide";
const ARTICLE_WORDS = new RegExp(
  `(?:^|[^\\p{L}])(?:(?:next|older|nächste[rs]?|nachfolgende[rs]?|próximo|siguiente|prochaine?|suivant|volgende?|następny|следующ\\p{L}+)\\s+(?:${THING})(?:$|[^s\\p{L}])|(?:article|post|billet|artículo|entrada|articolo|artigo|nota)\\s+(?:suivante?|siguiente|successiv[oa]|seguinte))|次の(?:記事|投稿|日記|話)|下一篇|다음 ?글`,
  "iu",
);

/** The most classes of an element that count. */
const CLASSES_MAX = 20;

/** The classes and ids of an element and of its nearest ancestors. */
export const classesAround = (node: TreeNode, levels: number): string[] =>
  [...node.selfAndAncestors().take(levels + 1)]
    .flatMap((at) => [...at.classes.slice(0, CLASSES_MAX), at.attribute("id") ?? ""])
    .filter(Boolean);

/**
 * Whether a control is in a pager or a navigation.
 * @param near classes and ids around the control, as in all functions of this file
 */
export const isInPager = (node: TreeNode, near: readonly string[]): boolean =>
  near.some((name) => PAGER.test(name)) || node.selfAndAncestors().drop(1).take(4).some(isNavigation);

/** Whether a control has the classes of a pager around it, or an attribute with a page number. */
export const isPagersOwn = (node: TreeNode, near: readonly string[]): boolean =>
  near.some((name) => PAGER_CLASS.test(name)) ||
  Object.entries(node.attributes).some(
    ([name, value]) => /^data-.*(?:page|offset|start)/.test(name) && /^\d+$/.test(value),
  );

const isNavigation = (node: TreeNode) => node.tag === "nav" || node.attribute("role") === "navigation";

/** Whether a control is in breadcrumbs. */
export const isTrail = (near: readonly string[]): boolean => near.some((name) => TRAIL.test(name));

/** Whether a control leads to the next article, as its names or the classes and ids around it say. */
export const leadsBetweenArticles = (names: readonly string[], near: readonly string[]): boolean =>
  near.some((name) => BETWEEN_ARTICLES.test(name)) || names.some(saysArticle);

/** Whether a name says that a control leads to the next article or to a similar thing. */
export const saysArticle = (name: string): boolean => ARTICLE_WORDS.test(name);

/** A box with at least this many elements is too large for a pager. */
const BESIDE = 80;

/** Whether consecutive numbers, such as 2 and 3, are beside a control. Years do not count. */
export function numbersBeside(node: TreeNode): boolean {
  let box: TreeNode | undefined = node.parent;
  for (let level = 0; box && level < 3; level += 1, box = box.parent) {
    const items = box.descendants(BESIDE);
    const numbers = items
      .filter(({ ownText, children }) => children.length === 0 && /^\[?\d{1,4}\]?$/.test(ownText))
      .map(({ ownText }) => Number(ownText.replace(/\D/g, "")))
      .filter((number) => !isYear(number));
    if (numbers.length >= 2)
      return items.length < BESIDE && numbers.some((number) => numbers.includes(number + 1));
  }
  return false;
}

const isYear = (number: number) => number >= 1900 && number < 2100;

const WHICH_PAGE =
  /(?:page|seite|página|pagina|strona|strana|sida|side|страница|sayfa)\s*:?\s*\d+\s*(?:of|von|de|sur|di|van|z|ze|av|af|из|\/)\s*\d+|\d+\s?[-–]\s?\d+\s+(?:of|von|de|sur|di|van|z|av|af|из)\s+\d+/i;
/** Longer texts, in characters, are more than a pager. */
const WHICH_PAGE_MAX = 160;

/** Whether a pager says beside a control which page is shown, as in "Page 1 of 4". */
export function saysWhichPage(node: TreeNode): boolean {
  return node
    .selfAndAncestors()
    .drop(1)
    .take(3)
    .some(({ text }) => text.length < WHICH_PAGE_MAX && WHICH_PAGE.test(text));
}

/** Whether a link runs a script, as those in the forms of ASP.NET do. */
export const isScripted = (node: TreeNode): boolean =>
  /^javascript:.*\w{5}\(/i.test(node.attribute("href") ?? "");

/** Forms, and whether they have visible inputs. */
const asking = new WeakMap<TreeNode, boolean>();

/** Whether the form around a control has visible inputs; undefined if there is no form. */
function isAskedAround(node: TreeNode): boolean | undefined {
  const form = node.selfAndAncestors().find(({ tag }) => tag === "form");
  if (form === undefined) return undefined;
  const asks = (at: TreeNode) =>
    at.isShown &&
    /^(?:input|select|textarea)$/.test(at.tag) &&
    !/^(?:submit|button|image|hidden)$/.test(at.attribute("type") ?? "");
  const isAsking = asking.get(form) ?? form.descendants().some(asks);
  asking.set(form, isAsking);
  return isAsking;
}

/** Whether a control is in a form without visible inputs. Such a form only sends the number of the page. */
export const asksForNothing = (node: TreeNode): boolean => isAskedAround(node) === false;

/** Whether a control sends what a person has filled in. */
export const sendsAnswers = (node: TreeNode): boolean =>
  (node.tag === "button" || node.tag === "input") &&
  node.attribute("type") !== "button" &&
  isAskedAround(node) === true;

/** Whether a control has an image or an icon that points forward, and no name that says something else. */
export function looksForward({ node, hints: names }: Control): boolean {
  if (names.some((name) => /\p{L}{3}/u.test(name) && !isCalled(name, "next") && !isForwardArrow(name)))
    return false;
  return node
    .descendants(INSIDE_MAX)
    .some(
      ({ tag, classes, attributes: { src = "" } }) =>
        classes.some((name) =>
          /(?:chevron|angle|arrow|caret)s?(?:-double)?-(?:circle-)?right|^(?:icon-)?next$/i.test(name),
        ) ||
        (tag === "img" &&
          /(?:^|[/_-])(?:(?:page|btn|button)?(?:next|nxt)(?:page|btn|button)?|forward|fwd|arrow[-_]?(?:r|right|next|forward)|right[-_]?arrow)(?:[-_.\d][^/]*)?$/i.test(
            src,
          )),
    );
}
