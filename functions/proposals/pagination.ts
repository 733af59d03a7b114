import type { Pagination } from "../contract/scraper.ts";
import { isArticle } from "./article.ts";
import { type Choice, SelectorChooser } from "./choose-selector.ts";
import { ControlScorer } from "./controls/control-score.ts";
import { hasNextClass, isCalled, isForwardArrow, soundsLike } from "./controls/control-words.ts";
import { type Control, controlsCalled, controlsOf } from "./controls/controls.ts";
import { numberedPages } from "./numbered-pages.ts";
import type { Selector } from "./selector.ts";
import type { Tree, TreeNode } from "./tree.ts";

/** A way to get the rest of a list. */
export interface PaginationProposal {
  /** As in a definition. */
  pagination: Pagination;
  score: number;
  /** Whether it may be taken without asking. */
  isSure: boolean;
  /** What the control says; absent where there is none. */
  name?: string;
  /** Indexes of the controls in the snapshot. */
  elements: number[];
}

const PROPOSED = 40;
const SURE = 60;
const PROPOSALS_MAX = 3;
interface Scored {
  control: Control;
  score: number;
}

/** How the list of a page may go on, the best first. */
export function paginationOf(tree: Tree, lists: readonly (readonly TreeNode[])[]): PaginationProposal[] {
  const controls = controlsOf(tree);
  const scorer = new ControlScorer(tree, lists, isArticle(tree, lists));
  const page = new PageOfControls(tree, controls, scorer);
  const next = best(controls.map((control) => ({ control, score: scorer.scoreOf(control) })));
  const proposals: PaginationProposal[] = [];
  const trusted = next && next.score >= PROPOSED ? next : undefined;
  if (trusted) proposals.push(...page.nextButton(trusted));
  const numbered = numberedPages(new URL(tree.snapshot.url), controls, trusted);
  if (numbered) proposals.push({ ...numbered, isSure: numbered.score >= SURE });
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

  /** The same control above and below the list. */
  #sameAs(control: Control): Control[] {
    if (!control.target) return [control];
    const href = control.target.href;
    return this.#controls.filter(
      (other) =>
        other === control || (other.target?.href === href && this.#scorer.scoreOf(other) >= PROPOSED),
    );
  }

  /** How the engine finds a control: by its name where that is unique, else by a selector. */
  #locate(
    control: Control,
    same: readonly Control[],
    type: string,
  ): { field_name: string } | { selector: string } | undefined {
    const wanted = new Set(same.map(({ node }) => node));
    const inside = new Set([...wanted].flatMap((node) => [...node.descendants()]));
    const isRight = (found: readonly TreeNode[]) =>
      found.length > 0 && found.every((node) => wanted.has(node) || inside.has(node));
    const word = type === "next_button" ? "next" : "more";
    const name = control.names.find(
      (each) =>
        !/\d/.test(each) &&
        (isCalled(each, word) || soundsLike(each, word) || (word === "next" && isForwardArrow(each))),
    );
    const called = name === undefined ? [] : controlsCalled(this.#controls, name).map(({ node }) => node);
    this.#chooser ??= new SelectorChooser(this.#tree.nodes);
    // What does not say "next" may fit the previous page's control, which is not there yet.
    const choice: Choice | undefined = this.#chooser.choose([control.node], isRight, (selector) =>
      saysNext(selector) ? 0 : 25,
    );
    if (name !== undefined && isRight(called) && (!choice || choice.cost > 4)) return { field_name: name };
    return choice && { selector: choice.css };
  }
}

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
