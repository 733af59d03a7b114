import type { StepOf } from "../contract/steps/steps.ts";
import { consentOf } from "./forms/consent.ts";
import { type FormProposal, formsOf } from "./forms/forms.ts";
import { type ListProposal, listsOf } from "./lists/lists.ts";
import { type PageField, pageFieldsOf } from "./lists/page-fields.ts";
import { type PaginationProposal, paginationOf } from "./pagination/pagination.ts";
import type { Snapshot } from "./snapshot.ts";
import { type TreeNode, treeOf } from "./tree.ts";

/** What a scraper could read on a page, and what it could do there. */
export interface Proposals {
  /** At most five, the best first. Let a person choose: the first is not always the wanted one. */
  lists: ListProposal[];
  /** At most three, the best first; empty if the page has no list. */
  pagination: PaginationProposal[];
  forms: FormProposal[];
  /** A step that closes the cookie banner, to be put before the other steps; null if there is no banner. */
  consent: StepOf<"click"> | null;
  /** Values that the page states about itself. */
  pageFields: PageField[];
}

/**
 * Makes proposals from one snapshot. A pure function: the same snapshot always gives the same proposals.
 * @param like indexes of elements in the snapshot. Only lists are proposed that have each of them in a different row.
 * @param hasOthers whether the lists have `others`, which takes some time
 * @throws Error if the snapshot has no elements
 */
export function propose(snapshot: Snapshot, like?: readonly number[], hasOthers?: boolean): Proposals {
  const tree = treeOf(snapshot);
  const lists = listsOf(tree, like, hasOthers);
  const rowsOf = ({ rows }: ListProposal) => rows.map((index) => tree.nodes[index] as TreeNode);
  return {
    lists,
    pagination: lists.length === 0 ? [] : paginationOf(tree, lists.slice(0, 2).map(rowsOf)),
    forms: formsOf(tree),
    consent: consentOf(tree) ?? null,
    pageFields: pageFieldsOf(snapshot),
  };
}
