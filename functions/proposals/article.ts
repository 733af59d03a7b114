import type { Tree, TreeNode } from "./tree.ts";

const PARAGRAPHS_LEAST = 3;
/** Characters of a paragraph that is more than a caption, and of all of them together. */
const PARAGRAPH = 80;
const TEXT_LEAST = 1_000;
/** The share of the page's text. */
const SHARE = 0.3;
/** Rows that also have a text make it the first of many posts. */
const POSTS = 3;
const POST_SHARE = 0.2;

/** Whether a page is mainly one text in paragraphs, and no list of texts. */
export function isArticle({ nodes, root }: Tree, lists: readonly (readonly TreeNode[])[]): boolean {
  const paragraphs = nodes.filter(
    ({ tag, isShown, text }) => tag === "p" && isShown && text.length >= PARAGRAPH,
  );
  let [longest, length] = [undefined as TreeNode | undefined, 0];
  for (const [parent, group] of Map.groupBy(paragraphs, (node) => node.parent)) {
    const sum = group.reduce((total, { text }) => total + text.length, 0);
    if (group.length >= PARAGRAPHS_LEAST && sum > length) [longest, length] = [parent, sum];
  }
  if (!longest || length < TEXT_LEAST || length < root.text.length * SHARE) return false;
  const text = longest;
  return !lists.some(
    (rows) =>
      rows.some((row) => row.contains(text)) &&
      rows.filter((row) => row.text.length > length * POST_SHARE).length >= POSTS,
  );
}
