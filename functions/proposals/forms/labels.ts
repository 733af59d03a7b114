import type { Tree, TreeNode } from "../tree.ts";

const INPUTS = new Set(["input", "select", "textarea"]);
const LABEL_MAX = 100;
/** The most ids in `aria-labelledby` that count. */
const LABELLING_MAX = 20;

/**
 * Returns a function that finds the label of an input: aria-labelledby, aria-label, `<label>`, placeholder or title, in
 * this order. The label has at most 100 characters; it is undefined if the input has none.
 */
export function labelsOf(tree: Tree): (input: TreeNode) => string | undefined {
  const byId = new Map<string, TreeNode>();
  const byFor = new Map<string, TreeNode>();
  for (const node of tree.nodes) {
    const id = node.attribute("id");
    if (id && !byId.has(id)) byId.set(id, node);
    const target = node.tag === "label" ? node.attribute("for") : undefined;
    if (target && !byFor.has(target)) byFor.set(target, node);
  }
  const textOfLabel = new Map<TreeNode, string>();
  for (const node of tree.nodes) if (node.tag === "label") textOfLabel.set(node, textWithout(node));
  return (input) => {
    const around = input.selfAndAncestors().find(({ tag }) => tag === "label");
    const names = [
      ...(input.attribute("aria-labelledby") ?? "")
        .split(/\s+/, LABELLING_MAX)
        .map((id) => byId.get(id)?.text),
      input.attribute("aria-label"),
      byFor.get(input.attribute("id") ?? "")?.text,
      around && textOfLabel.get(around),
      input.attribute("placeholder"),
      input.attribute("title"),
    ];
    return names.find((name) => name !== undefined && name.trim() !== "")?.slice(0, LABEL_MAX);
  };
}

/** The text of a label around an input, without the text of the input, such as the options of a dropdown. */
const textWithout = (label: TreeNode): string =>
  label.ownText ||
  label.children
    .filter(({ tag }) => !INPUTS.has(tag))
    .map(({ text }) => text)
    .join(" ");
