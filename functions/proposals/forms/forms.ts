import { isPressable } from "../pagination/controls.ts";
import { SelectorChooser } from "../selectors/choose-selector.ts";
import type { Tree, TreeNode } from "../tree.ts";
import { labelsOf } from "./labels.ts";

/** An input that a step could fill in. */
export interface InputProposal {
  /** The index of the element in the snapshot. */
  ref: number;
  /** The type of the step that sets it. */
  step: "write_input" | "select_dropdown" | "click";
  /** The label that people see; absent if there is none. */
  label?: string;
  /** The label, if no other input has the same one. A step can find the input by it. */
  field_name?: string;
  /** A CSS selector, if the input has no unique label. */
  selector?: string;
  /** The selectors of the frames that the input is in, from the outermost on. */
  frame?: string[];
  /** The `type` of an `input` (text, search, password, checkbox, …), else the tag: select or textarea. */
  type: string;
  /** The texts of the options of a dropdown: the first 50. */
  options?: string[];
}

/** The inputs of a form. */
export interface FormProposal {
  kind: "search" | "login" | "other";
  inputs: InputProposal[];
  /** The text of the button that submits the form. */
  submit?: string;
}

const FORMS_MAX = 40;
const OPTIONS_MAX = 50;
const IGNORED = /^(?:hidden|submit|button|reset|image|file)$/;

/** Proposes the forms of a page. All inputs outside of forms make one more form. */
export function formsOf(tree: Tree): FormProposal[] {
  const labelOf = labelsOf(tree);
  const inputs = tree.nodes.filter(isInput);
  const labels = new Map(inputs.map((input) => [input, labelOf(input)]));
  const uses = Map.groupBy(labels.values(), (label) => label);
  const chooser = new SelectorChooser(tree.nodes, tree.effort);
  const describe = (input: TreeNode): InputProposal => {
    const label = labels.get(input);
    const isOnly = label !== undefined && uses.get(label)?.length === 1;
    const type = input.tag === "input" ? (input.attribute("type") ?? "text").toLowerCase() : input.tag;
    const selector = isOnly ? undefined : chooser.choose([input])?.css;
    return {
      ref: input.index,
      step:
        input.tag === "select"
          ? "select_dropdown"
          : /^(?:checkbox|radio)$/.test(type)
            ? "click"
            : "write_input",
      ...(label && { label }),
      ...(isOnly && { field_name: label }),
      ...(selector && { selector }),
      type,
      ...(input.tag === "select" && { options: optionsOf(input) }),
    };
  };
  const byForm = Map.groupBy(inputs, (input) => input.selfAndAncestors().find(({ tag }) => tag === "form"));
  return [...byForm].slice(0, FORMS_MAX).map(([form, members]) => {
    const submit = form && submitOf(form);
    return {
      kind: kindOf(form, members, labels),
      inputs: members.map(describe),
      ...(submit && { submit }),
    };
  });
}

function isInput(node: TreeNode): boolean {
  if (!node.isShown || node.attribute("disabled") !== undefined) return false;
  if (node.tag === "input") return !IGNORED.test((node.attribute("type") ?? "text").toLowerCase());
  return node.tag === "select" || node.tag === "textarea";
}

const optionsOf = (select: TreeNode): string[] =>
  select
    .descendants()
    .filter(({ tag, ownText }) => tag === "option" && ownText !== "")
    .slice(0, OPTIONS_MAX)
    .map(({ ownText }) => ownText);

function submitOf(form: TreeNode): string | undefined {
  const buttons = form.descendants().filter((node) => isPressable(node) && node.isShown && node.tag !== "a");
  const button = buttons.find((node) => node.attribute("type") === "submit") ?? buttons[0];
  return button && (button.text || button.attribute("value") || button.attribute("aria-label"));
}

function kindOf(
  form: TreeNode | undefined,
  inputs: readonly TreeNode[],
  labels: ReadonlyMap<TreeNode, string | undefined>,
): FormProposal["kind"] {
  if (inputs.some((input) => input.attribute("type")?.toLowerCase() === "password")) return "login";
  const isSearch = (input: TreeNode) =>
    input.attribute("type") === "search" ||
    /^(?:q|s|query|search|keywords?|suche|term)$/i.test(input.attribute("name") ?? "") ||
    /search|such|recherch|buscar|cerca|zoek|поиск|szukaj|検索|搜索|검색/i.test(labels.get(input) ?? "");
  return form?.attribute("role") === "search" || inputs.some(isSearch) ? "search" : "other";
}
