import type { StepOf } from "../contract/steps.ts";
import { consentOf } from "./consent.ts";
import { type FormProposal, formsOf } from "./forms.ts";
import { type ListProposal, listsOf } from "./lists.ts";
import { type PaginationProposal, paginationOf } from "./pagination.ts";
import type { Snapshot } from "./snapshot.ts";
import { type TreeNode, treeOf } from "./tree.ts";

/** What a scraper of a page could read and do. */
export interface Proposals {
  /** At most five, the best first. Offer them; take none silently. */
  lists: ListProposal[];
  /** At most three; none where the page has no list. */
  pagination: PaginationProposal[];
  forms: FormProposal[];
  /** A step to put before all others that read the page; null where nothing asks for consent. */
  consent: StepOf<"click"> | null;
}

/**
 * Proposes from one collected page. Deterministic, and without any other source.
 * @param like indexes of elements in the snapshot: only lists are proposed that have each of them in a row of its own
 */
export function propose(snapshot: Snapshot, like?: readonly number[]): Proposals {
  const tree = treeOf(snapshot);
  const lists = listsOf(tree, like);
  const rowsOf = ({ rows }: ListProposal) => rows.map((index) => tree.nodes[index] as TreeNode);
  return {
    lists,
    pagination: lists.length === 0 ? [] : paginationOf(tree, lists.slice(0, 2).map(rowsOf)),
    forms: formsOf(tree),
    consent: consentOf(tree) ?? null,
  };
}
