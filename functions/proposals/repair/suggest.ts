import type { Row, Suggestion } from "../../contract/runs/run.ts";
import type { Pagination } from "../../contract/scrapers/scraper.ts";
import type { Step, StepOf } from "../../contract/steps/steps.ts";
import { listsOf, rowSelector } from "../lists/lists.ts";
import { paginationOf } from "../pagination/pagination.ts";
import { SelectorChooser } from "../selectors/choose-selector.ts";
import { parseSelector } from "../selectors/parse-selector.ts";
import { Finder } from "../selectors/selector.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Tree, type TreeNode, treeOf } from "../tree.ts";
import { FieldFinder, type FoundField } from "./find-fields.ts";
import { type FoundRows, findRows } from "./find-rows.ts";
import { isReadable, knownRows, type ReadField } from "./known-values.ts";

/** A selector of a scraper that finds nothing on a page. */
export interface Broken {
  step: Step;
  pagination: Pagination;
  /** What found nothing: the step's element, fields of its list, or the control of the pagination. */
  part: "element" | "fields" | "control";
}

const SAMPLES = 3;
/** Lengths of values in samples, in characters. */
const SAMPLE_MAX = 100;
/** The size of a suggestion as JSON. It is stored in the run's item, which has to stay small. */
const SUGGESTION_MAX = 5_000;
/** The least length of the only value by which an element is found. */
const VALUE_LEAST = 3;

/**
 * Suggests a selector in place of one that finds nothing: that of the elements that hold the values of an earlier run.
 * @param earlier rows of the last good run
 * @returns undefined if too little of them stands on the page, or if what was found is not clear
 */
export function suggestRepair(
  snapshot: Snapshot,
  { step, pagination, part }: Broken,
  earlier: readonly Row[],
): Suggestion | undefined {
  const tree = treeOf(snapshot);
  const suggestion = () => {
    if (part === "control") return controlOf(tree, pagination);
    // A value of JSON is in no element.
    if ("json" in step && step.json) return undefined;
    if (step.type === "get_list") return listOf(tree, step, part, earlier);
    if (step.type === "get_text") return textOf(tree, step, earlier);
    if (step.type === "select_dropdown") return dropdownOf(tree, step.value);
    return undefined;
  };
  const found = suggestion();
  return found && fitting(found);
}

/** A suggestion with as many rows in its sample as it has room for. */
function fitting(suggestion: Suggestion): Suggestion | undefined {
  if (JSON.stringify(suggestion).length <= SUGGESTION_MAX) return suggestion;
  const { sample } = suggestion;
  return sample.length === 0 ? undefined : fitting({ ...suggestion, sample: sample.slice(0, -1) });
}

function listOf(
  tree: Tree,
  { selector = "", fields }: StepOf<"get_list">,
  part: Broken["part"],
  earlier: readonly Row[],
): Suggestion | undefined {
  const own: ReadField[] = fields.filter(({ list }) => list === undefined);
  const found = findRows(tree, knownRows(tree, own, earlier));
  if (!found) return undefined;
  // A list that was found keeps its selector, unless its rows are others than those with the values.
  const kept = part === "fields" ? keptList(tree, selector, found.rows) : undefined;
  const choice = kept ?? chosenList(tree, found.rows);
  if (!choice) return undefined;
  const read = new FieldFinder(tree, found).fields(own, earlier);
  const isFoundAgain = part === "element" || read.some(({ isNew }) => isNew);
  if (!isFoundAgain) return undefined;
  return {
    ...choice,
    sample: sampleOf(found, read, tree),
    fields: read.filter(({ isNew }) => isNew).map(asField),
  };
}

const asField = ({ name, selector, attribute }: FoundField) => ({
  name,
  ...(selector !== undefined && { selector }),
  ...(attribute !== undefined && { attribute }),
});

function keptList(tree: Tree, css: string, rows: readonly TreeNode[]) {
  const selector = parseSelector(css);
  // Only the page knows what it matches. It is there, so it stays.
  if (!selector) return { selector: css, matches: rows.length };
  const matching = new Set(new Finder(tree.nodes).all(selector, tree.effort));
  return rows.every((row) => matching.has(row)) ? { selector: css, matches: matching.size } : undefined;
}

function chosenList(tree: Tree, rows: readonly TreeNode[]) {
  const choice = rowSelector(new SelectorChooser(tree.nodes, tree.effort), rows);
  return choice && { selector: choice.css, matches: choice.count };
}

/** The first rows that an earlier run has read, too, as the suggested selectors read them. */
function sampleOf({ known }: FoundRows, fields: readonly FoundField[], tree: Tree): Row[] {
  return [...known.keys()]
    .sort((one, other) => one.index - other.index)
    .slice(0, SAMPLES)
    .map((row) =>
      Object.fromEntries(
        fields.flatMap(({ name, attribute, at }) => {
          const node = at(row);
          const isText = attribute === undefined || attribute === "text";
          const value = isText ? node?.text : node?.attribute(attribute);
          return value ? [[name, shown(value, attribute, tree)]] : [];
        }),
      ),
    );
}

/** A value as a run would read it: addresses are absolute. */
function shown(value: string, attribute: string | undefined, { snapshot }: Tree): string {
  const isAddress = attribute === "href" || attribute === "src";
  return ((isAddress && URL.parse(value, snapshot.base)?.href) || value).slice(0, SAMPLE_MAX);
}

/** The only element that holds the value of a text. */
function textOf(tree: Tree, step: StepOf<"get_text">, earlier: readonly Row[]): Suggestion | undefined {
  const { field_name: name, attribute, text, all, transform } = step;
  const field: ReadField = { name, attribute, text, all, transform };
  const row = earlier.find((each) => Object.hasOwn(each, name));
  if (!row || !isReadable(field)) return undefined;
  const [value] = knownRows(tree, [field], [row])[0]?.values ?? [];
  const place = value?.weight === 1 ? value.places.at(-1) : undefined;
  if (!place || (row[name] ?? "").trim().length < VALUE_LEAST) return undefined;
  if (place.attribute !== attribute && !(attribute === "text" && place.attribute === undefined))
    return undefined;
  const choice = new SelectorChooser(tree.nodes, tree.effort).choose([place.node]);
  if (!choice) return undefined;
  return {
    selector: choice.css,
    matches: 1,
    sample: [{ [name]: (row[name] as string).slice(0, SAMPLE_MAX) }],
  };
}

/** The only dropdown with an option of this text or value. */
function dropdownOf(tree: Tree, value: string): Suggestion | undefined {
  const wanted = value.trim();
  const [select, ...others] = tree.nodes.filter(
    (node) =>
      node.tag === "select" &&
      node.isShown &&
      node.descendants().some(({ tag, ownText }) => tag === "option" && ownText === wanted),
  );
  const choice =
    select && others.length === 0 && new SelectorChooser(tree.nodes, tree.effort).choose([select]);
  return choice ? { selector: choice.css, matches: 1, sample: [] } : undefined;
}

/** The control that the proposals find on a page with a list. */
function controlOf(tree: Tree, { type }: Pagination): Suggestion | undefined {
  const lists = listsOf(tree).slice(0, 2);
  const rows = lists.map((list) => list.rows.map((index) => tree.nodes[index] as TreeNode));
  const found = paginationOf(tree, rows).find((each) => each.isSure && each.pagination.type === type);
  const elements = found?.elements.map((index) => tree.nodes[index] as TreeNode) ?? [];
  const choice = elements.length > 0 && new SelectorChooser(tree.nodes, tree.effort).choose(elements);
  return choice ? { selector: choice.css, matches: elements.length, sample: [] } : undefined;
}
