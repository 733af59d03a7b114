import { absolute, commonAncestor, rowWith, type Tree, type TreeNode } from "../tree.ts";
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
  sendsAnswers,
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
  passesPages,
  saysNextPage,
  soundsLike,
} from "./control-words.ts";
import { type Control, NAME_MAX } from "./controls.ts";
import {
  addressScore,
  areSiblings,
  CONTINUES,
  ELSEWHERE,
  growsTo,
  isNamedAfter,
  OTHER_ARTICLE,
} from "./next-address.ts";

/** Names and classes of controls that show more comments, not more of the list. */
const COMMENTS =
  /comment(?!ary)|kommentar|comentario|commento|disqus|repl(?:y|ies)\b|antworten|réponses|ответ|коммент/i;
/** Classes of controls that open a menu or the rest of a text. */
const OPENS = /dropdown|(?:^|[-_])(?:menu|nav|navbar|tabs?|accordion|collapse|toggle)(?:$|[-_])/i;
/** Classes of tabs. */
const TABS = /(?:^|[-_])(?:tabs?|panes?)(?:$|[-_])/i;
/** Parts of words that mean "older" or "previous": on blogs, the next page has older posts. */
const OLDER =
  /old|ält|ancien|antig|vecch|oud|ran|stars|star|prev|preced|anterior|eld|äld|vanh|régebbi|παλ|過去|以前|古い|이전 글/i;
/** Words that mean "newer". */
const NEWER =
  /\bnew|neuer|récent|recient|recent|nieuwe|nyare|nyere|uudem|нов(?:ые|ее|ых)|свежи|nowsz|nověj|novš|újabb|\byeni|νεότερ|新しい|최신|새 글/iu;
/** The number of ancestors of a control whose classes and ids are checked. */
const NEAR = 5;
/** The highest score of a control that only a try can tell from that of a slide show. */
const UNPROVED = 45;
/** Penalty on the page of an article, where a control rarely shows more of a list. */
const ON_ARTICLE = -30;

/** The result of scoring the names of a control. */
interface NameScore {
  score: number;
  /** Whether a name says "next", in words and not only with an arrow. */
  isWord: boolean;
}

/** Rows, and where their texts occur. */
class RowTexts {
  readonly rows: readonly TreeNode[];
  /** By tag and text, the first two rows that have an element with them. */
  #places: Map<string, TreeNode[]> | undefined;

  constructor(rows: readonly TreeNode[]) {
    this.rows = rows;
  }

  /** Whether another row than `except` has an element with this tag and, without decoration, this text. */
  isElsewhere(tag: string, text: string, except: TreeNode): boolean {
    this.#places ??= this.#find();
    return this.#places.get(`${tag} ${text}`)?.some((row) => row !== except) ?? false;
  }

  #find(): Map<string, TreeNode[]> {
    const places = new Map<string, TreeNode[]>();
    for (const row of this.rows)
      for (const { tag, text } of row.descendants()) {
        if (text.length > NAME_MAX) continue;
        const key = `${tag} ${bare(text)}`;
        const found = places.get(key);
        if (!found) places.set(key, [row]);
        else if (found.length < 2 && found[0] !== row) found.push(row);
      }
    return places;
  }
}

/** Scores how likely a control shows more of the lists of a page. The thresholds are in pagination.ts. */
export class ControlScorer {
  readonly #url: URL;
  readonly #all: readonly (readonly TreeNode[])[];
  /** The same without lists of up to four rows, where equal controls in several rows say little. */
  readonly #lists: readonly RowTexts[];
  readonly #headNext: URL | undefined;
  readonly #isArticle: boolean;
  readonly #scores = new Map<Control, number>();

  constructor({ snapshot }: Tree, lists: readonly (readonly TreeNode[])[], isArticle: boolean) {
    this.#all = lists;
    this.#lists = lists.filter(({ length }) => length > 4).map((rows) => new RowTexts(rows));
    this.#url = new URL(snapshot.url);
    this.#headNext = absolute(snapshot.nextLink, snapshot.base);
    this.#isArticle = isArticle;
  }

  /** Scores how likely a control shows the next page of a list. May be negative. */
  scoreOf(control: Control): number {
    const score = this.#scores.get(control) ?? this.#rate(control);
    this.#scores.set(control, score);
    return score;
  }

  #rate(control: Control): number {
    const { node, hints: names, target, isDisabled } = control;
    const rel = (node.attribute("rel") ?? "").split(/\s+/);
    if (isDisabled || rel.includes("prev") || names.some((name) => COMMENTS.test(name))) return 0;
    const own = classesAround(node, 1);
    const said = this.#nameScore(control, own);
    if (!said) return 0;
    let score = said.score + (rel.includes("next") ? 45 : 0);
    if (own.some(hasNextClass) || looksForward(control)) score += 32;
    if (score === 0) return 0;
    const near = classesAround(node, NEAR);
    const numbers = numbersBeside(node);
    const whichPage = saysWhichPage(node);
    if (isInPager(node, near) || whichPage) score += 10;
    if (numbers) score += 20;
    // A control without address and numbers may be that of a slide show, a calendar or a gallery.
    else if (!target && !this.#needsNoAddress(control, near, whichPage)) {
      if (!said.isWord || sendsAnswers(node) || !this.#isBesideList(node)) return 0;
      score = Math.min(score, UNPROVED);
    }
    if (this.#isPartOfRow(control)) score -= 40;
    if (target && this.#headNext?.href === target.href) score += 25;
    const byAddress = addressScore(this.#url, target);
    if (said.score === 0 && target && byAddress < CONTINUES && isCalledLikeThing(control, target)) return 0;
    const isBetween = leadsBetweenArticles(names, near);
    if (isBetween && target && byAddress < CONTINUES && !numbers && areSiblings(this.#url, target)) return 0;
    // With numbers beside it, or with a name such as "next page", the control is part of a pager: no penalty.
    const isExpected = numbers || (names.some(saysNextPage) && byAddress === ELSEWHERE);
    score += isExpected && byAddress > OTHER_ARTICLE ? Math.max(0, byAddress) : byAddress;
    // A list of pictures, events or posts may have such classes and names, too, but then its addresses have numbers.
    if (byAddress < CONTINUES) {
      if (near.some((name) => SLIDES.test(name)) || /calendar/i.test(this.#url.pathname)) score -= 45;
      if (isBetween) score -= 50;
      if (this.#isArticle) score += ON_ARTICLE;
    } else if (names.some(saysArticle)) score -= 50;
    if (near.some((name) => COMMENTS.test(name))) score -= 30;
    if (!target && near.some((name) => TABS.test(name))) score -= 45;
    if (isTrail(near)) score -= 40;
    // A link with long names only is called like the title of its target.
    if (!said.isWord && names.length > 0 && names.every((name) => name.length > 30)) score -= 30;
    return score;
  }

  /** Scores the names of a control. Undefined if it leads to another page than the next one: previous, last, all, or one further on. */
  #nameScore({ hints: names, target }: Control, own: readonly string[]): NameScore | undefined {
    if (names.some((name) => isCalled(name, "last") || meansAll(name) || passesPages(name))) return undefined;
    const isCalledNext = names.some((name) => isCalled(name, "next"));
    const isNewer = names.some((name) => NEWER.test(name));
    if (isNewer && !isCalledNext && names.some(isDirected)) return undefined;
    const saysPrevious = names.some((name) => isCalled(name, "previous") || soundsLike(name, "previous"));
    // On blogs, "previous" may lead to older posts, which are the next page.
    const isPreviousOlder = saysPrevious && !isNewer && growsTo(this.#url, target);
    if (names.some((name) => isCalled(name, "previous")) && !isPreviousOlder) return undefined;
    const isOlder = isPreviousOlder || (isCalledNext && names.some((name) => OLDER.test(name)));
    // A control for older posts may have an arrow that points back, or a class such as "previous".
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

  /** Whether a control without an address may still be that of a pager. */
  #needsNoAddress({ node, hints: names }: Control, near: readonly string[], whichPage: boolean): boolean {
    return (
      whichPage ||
      isScripted(node) ||
      isPagersOwn(node, near) ||
      names.some(saysNextPage) ||
      asksForNothing(node)
    );
  }

  #isBesideList(node: TreeNode): boolean {
    return this.#all.some((rows) => distanceTo(rows, node) !== undefined && !rowWith(rows, node));
  }

  /** Whether a control belongs to a row of a list: it is in a row, and other rows have the same control. */
  #isPartOfRow({ node, hints: names }: Control): boolean {
    return this.#lists.some((list) => {
      const row = rowWith(list.rows, node);
      if (!row) return false;
      // The first and the last row may hold the pager.
      if (row !== list.rows[0] && row !== list.rows.at(-1)) return true;
      return names.length === 0 || names.some((name) => list.isElsewhere(node.tag, bare(name), row));
    });
  }

  /** Scores how likely a control below a list adds rows to it: 0, 45 or 65. */
  moreScoreOf({ node, hints: names, target, isDisabled }: Control, list: readonly TreeNode[]): number {
    const last = list.at(-1);
    if (isDisabled || target || !last || last.index > node.index || rowWith(list, node)) return 0;
    const isCalledMore = names.some((name) => isCalled(name, "more"));
    if (!isCalledMore && !names.some((name) => soundsLike(name, "more") && name.length < 30)) return 0;
    if (this.#isArticle || leadsSomewhere(node)) return 0;
    const near = classesAround(node, NEAR);
    if ([...names, ...near].some((name) => COMMENTS.test(name))) return 0;
    if (classesAround(node, 2).some((name) => OPENS.test(name))) return 0;
    const distance = distanceTo(list, node);
    if (distance === undefined) return 0;
    const isPhrase = names.some((name) => isCalled(name, "more") && bare(name).includes(" "));
    if (isPhrase) return 65;
    // "More" alone may also open a menu or the rest of a text, so it only counts right below the list.
    return distance <= 2 || classesAround(node, 2).some((name) => /(?:load|show)[-_]?more/i.test(name))
      ? 45
      : 0;
  }
}

/**
 * How many levels a control is below the box that it shares with the rows of a list; undefined if it is too far, or in
 * another part of the page.
 */
function distanceTo(rows: readonly TreeNode[], node: TreeNode): number | undefined {
  const box = commonAncestor([rows[0] as TreeNode, rows.at(-1) as TreeNode, node]);
  const distance = node.depth - (box?.depth ?? 0);
  return distance > NEAR || node.selfAndAncestors().take(distance).some(isElsewhere) ? undefined : distance;
}

/** Whether a link is called like the title of its target. */
const isCalledLikeThing = ({ hints: names }: Control, target: URL): boolean =>
  names.some((name) => isNamedAfter(name, target) || (/\p{L}{4}/u.test(name) && bare(name).length > 12));

/** Whether a name has words and an arrow. */
const isDirected = (name: string): boolean =>
  /\p{L}/u.test(name) && /[›»>≫→⟩‹«<≪←⟨]/u.test(name.normalize("NFKC"));

/** Whether a link has an address of any kind, also one that `Control.target` leaves out. */
const leadsSomewhere = (node: TreeNode): boolean =>
  node.tag === "a" && !/^(?:#|javascript:|$)/i.test((node.attribute("href") ?? "").trim());

/** Whether an element is a part of a page that has no controls of lists. */
const isElsewhere = ({ tag }: TreeNode) =>
  tag === "nav" || tag === "header" || tag === "footer" || tag === "aside";
