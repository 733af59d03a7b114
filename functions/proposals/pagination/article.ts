import type { Tree, TreeNode } from "../tree.ts";

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
export function isArticle({ nodes, root }: Tree, lists: readonly (readonly TreeNode[])[]): boolean {
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
