import type { Pagination } from "../../contract/scrapers/scraper.ts";
import { type Choice, SelectorChooser } from "../selectors/choose-selector.ts";
import type { Selector } from "../selectors/selector.ts";
import { absolute, type Tree, type TreeNode } from "../tree.ts";
import { ControlScorer } from "./control-score.ts";
import { hasNextClass, isCalled, isForwardArrow, soundsLike } from "./control-words.ts";
import { type Control, controlsCalled, controlsOf } from "./controls.ts";
import { nextNumber, pageDropdowns } from "./numbered-controls.ts";
import { numberedPages } from "./numbered-pages.ts";

/** A way to get the rest of a list that has several pages. */
export interface PaginationProposal {
  /** The value for `pagination` in the definition of a scraper. */
  pagination: Pagination;
  /** How likely the pagination works. From 60 on, it is sure. */
  score: number;
  /** Whether a client may use it without asking a person. */
  isSure: boolean;
  /** The name of the control; absent if it has none, or if the pagination has no control. */
  name?: string;
  /** Indexes of the controls in the snapshot. There may be several, for example above and below the list. */
  elements: number[];
}

/** Proposals with a lower score are dropped. */
const PROPOSED = 40;
/** Proposals with this score or more are sure. */
const SURE = 60;
const PROPOSALS_MAX = 3;
/** The score of numbers whose pages a script opens. */
const NUMBERS = 50;

interface Scored {
  control: Control;
  score: number;
}

/**
 * Proposes at most three paginations for the lists of a page, the best first.
 * @param lists the rows of each list
 */
export function paginationOf(tree: Tree, lists: readonly (readonly TreeNode[])[]): PaginationProposal[] {
  const controls = controlsOf(tree);
  const scorer = new ControlScorer(tree, lists, isArticle(tree, lists));
  const page = new PageOfControls(tree, controls, scorer);
  const next = best(controls.map((control) => ({ control, score: scorer.scoreOf(control) })));
  const proposals: PaginationProposal[] = [];
  const trusted = next && next.score >= PROPOSED ? next : undefined;
  if (trusted) proposals.push(...page.nextButton(trusted));
  const { url, nextLink, base } = tree.snapshot;
  // Addresses are opened in the main frame, so those of pages in another frame lead nowhere.
  const isFramed = "owner" in tree.snapshot;
  const numbered = isFramed
    ? undefined
    : numberedPages(new URL(url), controls, trusted, absolute(nextLink, base));
  if (numbered) proposals.push({ ...numbered, isSure: numbered.score >= SURE });
  if (!trusted && !numbered) proposals.push(...page.nextNumber(isFramed), ...page.nextOption());
  const more = best(
    controls.map((control) => ({
      control,
      score: Math.max(0, ...lists.map((list) => scorer.moreScoreOf(control, list))),
    })),
  );
  if (more && more.score >= PROPOSED) proposals.push(...page.loadMore(more));
  return proposals.sort((a, b) => b.score - a.score).slice(0, PROPOSALS_MAX);
}

const best = (scored: readonly Scored[]): Scored | undefined =>
  scored.reduce<Scored | undefined>((top, each) => (top && top.score >= each.score ? top : each), undefined);

/** Makes proposals from the controls of one page. */
class PageOfControls {
  readonly #tree: Tree;
  readonly #controls: readonly Control[];
  readonly #scorer: ControlScorer;
  #chooser: SelectorChooser | undefined;

  constructor(tree: Tree, controls: readonly Control[], scorer: ControlScorer) {
    this.#tree = tree;
    this.#controls = controls;
    this.#scorer = scorer;
  }

  /** A pager that has only numbers, whose pages a script opens, or also links. */
  nextNumber(mayBeLinks: boolean): PaginationProposal[] {
    const controls = this.#controls.filter(({ target }) => mayBeLinks || !target);
    const next = nextNumber(controls, this.#choice);
    if (!next) return [];
    const { selector, control } = next;
    return [
      {
        pagination: { type: "next_button", selector },
        score: NUMBERS,
        isSure: false,
        elements: [control.node.index],
      },
    ];
  }

  /** A dropdown whose options are the pages. */
  nextOption(): PaginationProposal[] {
    return pageDropdowns(this.#tree).flatMap((select) => {
      const choice = this.#choice.choose([select]);
      if (!choice) return [];
      const pagination = { type: "next_button", selector: choice.css } as const;
      return [{ pagination, score: NUMBERS, isSure: false, elements: [select.index] }];
    });
  }

  nextButton(next: Scored): PaginationProposal[] {
    return this.#button("next_button", next);
  }

  loadMore(more: Scored): PaginationProposal[] {
    return this.#button("load_more", more);
  }

  #button(type: "next_button" | "load_more", { control, score }: Scored): PaginationProposal[] {
    const same = this.#sameAs(control);
    const how = this.#locate(control, same, type);
    if (!how) return [];
    const name = control.names[0];
    return [
      {
        pagination: { type, ...how },
        score,
        isSure: score >= SURE,
        ...(name && { name }),
        elements: same.map(({ node }) => node.index),
      },
    ];
  }

  get #choice(): SelectorChooser {
    this.#chooser ??= new SelectorChooser(this.#tree.nodes, this.#tree.effort);
    return this.#chooser;
  }

  /** The control and its copies, which lead to the same address: often one is above the list and one below it. */
  #sameAs(control: Control): Control[] {
    if (!control.target) return [control];
    const href = control.target.href;
    return this.#controls.filter(
      (other) =>
        other === control || (other.target?.href === href && this.#scorer.scoreOf(other) >= PROPOSED),
    );
  }

  /** How the engine finds a control: by a stable selector, else by a unique name, else by any selector. */
  #locate(
    control: Control,
    same: readonly Control[],
    type: string,
  ): { field_name: string } | { selector: string } | undefined {
    const wanted = new Set(same.map(({ node }) => node));
    const inside = new Set([...wanted].flatMap((node) => node.descendants()));
    const isRight = (found: readonly TreeNode[]) =>
      found.length > 0 && found.every((node) => wanted.has(node) || inside.has(node));
    const word = type === "next_button" ? "next" : "more";
    const names = control.names.flatMap((each) => steadyName(each, word) ?? []);
    const name = names.find((each) => {
      const called = controlsCalled(this.#controls, each).map(({ node }) => node);
      return isRight(called);
    });
    // On later pages, a selector that does not say "next" may also match the control for the previous page.
    const choice: Choice | undefined = this.#choice.choose([control.node], isRight, (selector) =>
      saysNext(selector) ? 0 : 25,
    );
    if (name !== undefined && (!choice || choice.cost > 4)) return { field_name: name };
    return choice && { selector: choice.css };
  }
}

/**
 * The part of a control's name that is the same on each page: "Next" of "Next 20". Undefined if that says neither "next"
 * nor "more".
 */
function steadyName(name: string, word: "next" | "more"): string | undefined {
  const steady = name.replace(/\s*\d.*$/s, "");
  const saysSo = isCalled(steady, word) || soundsLike(steady, word);
  return saysSo || (word === "next" && isForwardArrow(steady)) ? steady : undefined;
}

/** Whether a value in the selector says "next" or "more". */
const saysNext = (selector: Selector): boolean =>
  selector.some(({ tokens }) =>
    tokens.some((token) => {
      if (token.kind === "attribute")
        return (
          token.value === "next" ||
          isCalled(token.value, "next") ||
          soundsLike(token.value, "next") ||
          isCalled(token.value, "more")
        );
      return (token.kind === "class" || token.kind === "id") && hasNextClass(token.value);
    }),
  );

/** The least number of paragraphs of an article. */
const PARAGRAPHS_LEAST = 3;
/** The least number of characters of a paragraph; shorter ones may be captions. */
const PARAGRAPH = 80;
/** The least number of characters of all paragraphs of an article. */
const TEXT_LEAST = 1_000;
/** The least share of the page's text that the article has. */
const SHARE = 0.3;
/** If this many rows of a list have long texts, the page is a list of posts. */
const POSTS = 3;
/** A text of a row is long if it is longer than this share of the article. */
const POST_SHARE = 0.2;

/** Whether the page is mainly one article, not a list of posts. An article is a group of paragraphs with one parent. */
function isArticle({ nodes, root }: Tree, lists: readonly (readonly TreeNode[])[]): boolean {
  const paragraphs = nodes.filter(
    ({ tag, isShown, text }) => tag === "p" && isShown && text.length >= PARAGRAPH,
  );
  let [longest, length] = [undefined as TreeNode | undefined, 0];
  for (const [parent, group] of Map.groupBy(paragraphs, (node) => node.parent)) {
    const sum = group.reduce((total, { textLength }) => total + textLength, 0);
    if (group.length >= PARAGRAPHS_LEAST && sum > length) [longest, length] = [parent, sum];
  }
  if (!longest || length < TEXT_LEAST || length < root.textLength * SHARE) return false;
  const text = longest;
  return !lists.some(
    (rows) =>
      rows.some((row) => row.contains(text)) &&
      rows.filter((row) => row.textLength > length * POST_SHARE).length >= POSTS,
  );
}
