import type { StepOf } from "../contract/steps/steps.ts";
import { documentsOf, type PageDocument } from "./documents.ts";
import { consentOf } from "./forms/consent.ts";
import { type FormProposal, formsOf } from "./forms/forms.ts";
import { LISTS_MAX, type ListProposal, listsOf } from "./lists/lists.ts";
import { type PageField, pageFieldsOf } from "./lists/page-fields.ts";
import { type PaginationProposal, paginationOf } from "./pagination/pagination.ts";
import type { Snapshot } from "./snapshot.ts";
import type { TreeNode } from "./tree.ts";

/** What a scraper could read on a page, and what it could do there. */
export interface Proposals {
  /** At most five, the best first. Let a person choose: the first is not always the wanted one. */
  lists: ListProposal[];
  /** At most three, the best first; empty if the page has no list. Their controls are in the document of the first list. */
  pagination: PaginationProposal[];
  forms: FormProposal[];
  /** A step that closes the cookie banner, to be put before the other steps; null if there is no banner. */
  consent: StepOf<"click"> | null;
  /** Values that the page states about itself. */
  pageFields: PageField[];
}

/**
 * Makes proposals from one snapshot. A pure function: the same snapshot always gives the same proposals. Refs of elements
 * count through all documents of the page.
 * @param like refs of elements. Only lists are proposed that have each of them in a different row.
 * @param hasOthers whether the lists have `others`, which takes some time
 * @throws Error if the snapshot has no elements
 */
export function propose(snapshot: Snapshot, like?: readonly number[], hasOthers?: boolean): Proposals {
  const documents = documentsOf(snapshot);
  const found = documents
    .filter(({ first, tree }) => !like?.some((ref) => ref < first || ref >= first + tree.nodes.length))
    .flatMap((document) => {
      const refs = like?.map((ref) => ref - document.first);
      return listsOf(document.tree, refs, hasOthers).map((list) => ({ document, list }));
    })
    .sort((one, other) => scoreOf(other) - scoreOf(one))
    .slice(0, LISTS_MAX);
  const [main] = documents as [PageDocument];
  const consents = documents.flatMap(({ tree, frame }) => {
    const step = consentOf(tree);
    return step ? { ...step, ...framed(frame) } : [];
  });
  return {
    lists: found.map((each) => ({ ...listIn(each.document, each.list), score: Math.round(scoreOf(each)) })),
    pagination: paginationsOf(found),
    forms: documents.flatMap(formsIn),
    consent: consents[0] ?? null,
    pageFields: pageFieldsOf(main.tree.snapshot),
  };
}

interface Found {
  document: PageDocument;
  /** Its rows and cells are indexes of its document. */
  list: ListProposal;
}

const scoreOf = ({ document, list }: Found) => list.score * document.share;
const framed = (frame: string[]) => (frame.length > 0 ? { frame } : {});

function listIn({ first, frame, isMain }: PageDocument, list: ListProposal): ListProposal {
  const shifted = (cells: ListProposal["cells"]) =>
    cells.map((refs) => refs.map((ref) => (ref === null ? null : ref + first)));
  return {
    ...list,
    ...framed(frame),
    isMain: list.isMain && isMain,
    rows: list.rows.map((ref) => ref + first),
    cells: shifted(list.cells),
    others: { ...list.others, cells: shifted(list.others.cells) },
  };
}

function paginationsOf(found: readonly Found[]): PaginationProposal[] {
  const document = found[0]?.document;
  if (!document) return [];
  const { tree, first } = document;
  const lists = found
    .filter((each) => each.document === document)
    .slice(0, 2)
    .map(({ list }) => list.rows.map((index) => tree.nodes[index] as TreeNode));
  return paginationOf(tree, lists).map(({ elements, ...proposal }) => ({
    ...proposal,
    elements: elements.map((index) => index + first),
  }));
}

const formsIn = ({ tree, first, frame }: PageDocument): FormProposal[] =>
  formsOf(tree).map(({ inputs, ...form }) => ({
    ...form,
    inputs: inputs.map((input) => ({ ...input, ref: input.ref + first, ...framed(frame) })),
  }));
