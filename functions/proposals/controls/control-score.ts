import { absolute, commonAncestor, type Tree, type TreeNode } from "../tree.ts";
import {
  asksForNothing,
  classesAround,
  isInPager,
  isPagersOwn,
  isScripted,
  isTrail,
  leadsBetweenArticles,
  looksForward,
  numbersBeside,
  SLIDES,
  saysArticle,
  saysWhichPage,
} from "./control-surroundings.ts";
import {
  bare,
  hasNextClass,
  hasPreviousClass,
  isBackwardArrow,
  isCalled,
  isForwardArrow,
  isNumberWithArrow,
  meansAll,
  saysNextPage,
  soundsLike,
} from "./control-words.ts";
import type { Control } from "./controls.ts";
import {
  addressScore,
  areSiblings,
  CONTINUES,
  ELSEWHERE,
  growsTo,
  isNamedAfter,
  OTHER_ARTICLE,
} from "./next-address.ts";

/** What goes on is not the list, but what readers say about an article. */
const COMMENTS =
  /comment(?!ary)|kommentar|comentario|commento|disqus|repl(?:y|ies)\b|antworten|réponses|ответ|коммент/i;
/** What opens more of a menu or of a text. */
const OPENS = /dropdown|(?:^|[-_])(?:menu|nav|navbar|tabs?|accordion|collapse|toggle)(?:$|[-_])/i;
const TABS = /(?:^|[-_])(?:tabs?|panes?)(?:$|[-_])/i;
const OLDER =
  /old|ält|ancien|antig|vecch|oud|ran|stars|star|prev|preced|anterior|eld|äld|vanh|régebbi|παλ|過去|以前|古い|이전 글/i;
const NEWER =
  /\bnew|neuer|récent|recient|recent|nieuwe|nyare|nyere|uudem|нов(?:ые|ее|ых)|свежи|nowsz|nověj|novš|újabb|\byeni|νεότερ|新しい|최신|새 글/iu;
/** How far up the parts of a page that a control is in are looked at. */
const NEAR = 5;
/** On the page of an article, a control rarely shows more of a list. */
const ON_ARTICLE = -30;

/** What the names of a control say. */
interface Says {
  score: number;
  isWord: boolean;
}

/** Tells how likely controls of a page are those that show more of its list. */
export class ControlScorer {
  readonly #url: URL;
  /** The rows of the lists that may go on. */
  readonly #lists: readonly (readonly TreeNode[])[];
  readonly #headNext: URL | undefined;
  readonly #isArticle: boolean;

  constructor({ snapshot }: Tree, lists: readonly (readonly TreeNode[])[], isArticle: boolean) {
    this.#lists = lists.filter(({ length }) => length > 4);
    this.#url = new URL(snapshot.url);
    this.#headNext = absolute(snapshot.nextLink, snapshot.base);
    this.#isArticle = isArticle;
  }

  /** How likely a control shows the next page of a list. */
  scoreOf(control: Control): number {
    const { node, hints: names, target, isDisabled } = control;
    const rel = (node.attribute("rel") ?? "").split(/\s+/);
    if (isDisabled || rel.includes("prev") || names.some((name) => COMMENTS.test(name))) return 0;
    const own = classesAround(node, 1);
    const said = this.#saidBy(control, own);
    if (!said) return 0;
    let score = said.score + (rel.includes("next") ? 45 : 0);
    if (own.some(hasNextClass) || looksForward(control)) score += 32;
    if (score === 0) return 0;
    const near = classesAround(node, NEAR);
    const numbers = numbersBeside(node);
    const whichPage = saysWhichPage(node);
    if (isInPager(node, near) || whichPage) score += 10;
    if (numbers) score += 20;
    // A slide show, a calendar or a gallery: the next page of a list has an address, or numbers beside it.
    else if (!target && !this.#needsNoAddress(control, near, whichPage)) return 0;
    if (this.#isPartOfRow(control)) score -= 40;
    if (target && this.#headNext?.href === target.href) score += 25;
    const byAddress = addressScore(this.#url, target);
    if (said.score === 0 && target && byAddress < CONTINUES && isCalledLikeThing(control, target)) return 0;
    const isBetween = leadsBetweenArticles(names, near);
    if (isBetween && target && byAddress < CONTINUES && !numbers && areSiblings(this.#url, target)) return 0;
    // Among numbers, or called a page, it is a pager's, wherever it leads to on this site.
    const isExpected = numbers || (names.some(saysNextPage) && byAddress === ELSEWHERE);
    score += isExpected && byAddress > OTHER_ARTICLE ? Math.max(0, byAddress) : byAddress;
    // A numbered address makes up for what a list of pictures, of events or of posts may be called.
    if (byAddress < CONTINUES) {
      if (near.some((name) => SLIDES.test(name)) || /calendar/i.test(this.#url.pathname)) score -= 45;
      if (isBetween) score -= 50;
      if (this.#isArticle) score += ON_ARTICLE;
    } else if (names.some(saysArticle)) score -= 50;
    if (near.some((name) => COMMENTS.test(name))) score -= 30;
    if (!target && near.some((name) => TABS.test(name))) score -= 45;
    if (isTrail(near)) score -= 40;
    // A link that is named after what it leads to.
    if (!said.isWord && names.length > 0 && names.every((name) => name.length > 30)) score -= 30;
    return score;
  }

  #saidBy({ hints: names, target }: Control, own: readonly string[]): Says | undefined {
    if (names.some((name) => isCalled(name, "last") || meansAll(name))) return undefined;
    const isCalledNext = names.some((name) => isCalled(name, "next"));
    const isNewer = names.some((name) => NEWER.test(name));
    if (isNewer && !isCalledNext && names.some(isDirected)) return undefined;
    const saysPrevious = names.some((name) => isCalled(name, "previous") || soundsLike(name, "previous"));
    // Blogs count their pages back in time.
    const isPreviousOlder = saysPrevious && !isNewer && growsTo(this.#url, target);
    if (names.some((name) => isCalled(name, "previous")) && !isPreviousOlder) return undefined;
    const isOlder = isPreviousOlder || (isCalledNext && names.some((name) => OLDER.test(name)));
    // What is older may be marked as previous, with an arrow that points back.
    const looksBack = names.some(isBackwardArrow) || own.some(hasPreviousClass);
    if (looksBack && !isOlder && !growsTo(this.#url, target)) return undefined;
    const explicit = names.some(saysNextPage) ? 15 : 0;
    const isWord = isCalledNext || explicit > 0;
    if (isCalledNext) return { score: 45 + explicit, isWord };
    if (isPreviousOlder || names.some((name) => soundsLike(name, "next")))
      return { score: 30 + explicit, isWord };
    if (names.some(isForwardArrow)) return { score: 30, isWord };
    const continues = addressScore(this.#url, target) === CONTINUES;
    if (continues && names.some(isNumberWithArrow)) return { score: 30, isWord };
    if (continues && names.some((name) => isCalled(name, "more"))) return { score: 28, isWord };
    return { score: 0, isWord };
  }

  #needsNoAddress({ node, hints: names }: Control, near: readonly string[], whichPage: boolean): boolean {
    return (
      whichPage ||
      isScripted(node) ||
      isPagersOwn(node, near) ||
      names.some(saysNextPage) ||
      asksForNothing(node)
    );
  }

  /** Whether each row of a list has such a control. */
  #isPartOfRow({ node, hints: names }: Control): boolean {
    const wanted = new Set(names.map(bare));
    return this.#lists.some((rows) => {
      const index = rows.findIndex((row) => row.contains(node));
      if (index < 0) return false;
      // The first and the last row may hold the pager.
      if (index > 0 && index < rows.length - 1) return true;
      const isSame = (at: TreeNode) => at.tag === node.tag && wanted.has(bare(at.text));
      return wanted.size === 0 || rows.some((row, at) => at !== index && [...row.descendants()].some(isSame));
    });
  }

  /** How likely a control below a list adds rows to it. */
  moreScoreOf({ node, hints: names, target, isDisabled }: Control, list: readonly TreeNode[]): number {
    const last = list.at(-1);
    if (isDisabled || target || !last || last.index > node.index || list.some((row) => row.contains(node)))
      return 0;
    const isCalledMore = names.some((name) => isCalled(name, "more"));
    if (!isCalledMore && !names.some((name) => soundsLike(name, "more") && name.length < 30)) return 0;
    if (this.#isArticle || leadsSomewhere(node)) return 0;
    const near = classesAround(node, NEAR);
    if ([...names, ...near].some((name) => COMMENTS.test(name))) return 0;
    if (classesAround(node, 2).some((name) => OPENS.test(name))) return 0;
    const box = commonAncestor([...list, node]);
    const distance = [...node.around()].indexOf(box as TreeNode);
    if (distance > NEAR || [...node.around()].slice(0, distance).some(isElsewhere)) return 0;
    const isPhrase = names.some((name) => isCalled(name, "more") && bare(name).includes(" "));
    if (isPhrase) return 65;
    // "More" alone may open a menu or the rest of a text: it stands right below the list that it adds to.
    return distance <= 2 || classesAround(node, 2).some((name) => /(?:load|show)[-_]?more/i.test(name))
      ? 45
      : 0;
  }
}

/** Whether a link is called after what it leads to: a title. */
const isCalledLikeThing = ({ hints: names }: Control, target: URL): boolean =>
  names.some((name) => isNamedAfter(name, target) || (/\p{L}{4}/u.test(name) && bare(name).length > 12));

/** Whether a name has words and an arrow. */
const isDirected = (name: string): boolean =>
  /\p{L}/u.test(name) && /[›»>≫→⟩‹«<≪←⟨]/u.test(name.normalize("NFKC"));

/** A link with an address that can't be read still is no button. */
const leadsSomewhere = (node: TreeNode): boolean =>
  node.tag === "a" && !/^(?:#|javascript:|$)/i.test((node.attribute("href") ?? "").trim());

const isElsewhere = ({ tag }: TreeNode) =>
  tag === "nav" || tag === "header" || tag === "footer" || tag === "aside";
