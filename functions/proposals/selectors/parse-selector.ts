import { HELD_TAGS, type HeldTag } from "../tree.ts";
import type { Compound, Selector, Token } from "./selector.ts";

const TOKEN =
  /^(?:(?<tag>[\w-]+)|#(?<id>(?:\\[\da-f]+ |\\.|[\w\u0080-\uffff-])+)|\.(?<name>(?:\\[\da-f]+ |\\.|[\w\u0080-\uffff-])+)|\[(?<attribute>[\w:-]+)=(?:"(?<value>(?:\\.|[^"\\])*)"|(?<bare>[\w-]+))\]|:nth-of-type\((?<nth>\d+)\)|:has\(> (?<has>\w+)(?::nth-of-type\((?<count>\d+)\))?\)|:has\((?<holds>\w+)\))/;

const unescaped = (text: string) =>
  text.replace(/\\([\da-f]+) |\\(.)/gi, (_, code, character) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
  );

const isHeld = (tag: string): tag is HeldTag => (HELD_TAGS as readonly string[]).includes(tag);

/** Reads the part of CSS that can be evaluated on a snapshot; undefined for any other selector. */
export function parseSelector(css: string): Selector | undefined {
  const selector: Compound[] = [];
  let rest = css.trim();
  let isChild = false;
  while (rest !== "") {
    const tokens: Token[] = [];
    for (let match = TOKEN.exec(rest); match; match = TOKEN.exec(rest)) {
      const { tag, id, name, attribute, value, bare = "", nth, has, count, holds } = match.groups ?? {};
      if (tag && tokens.length > 0) return undefined;
      if (tag) tokens.push({ kind: "tag", value: tag.toLowerCase() });
      else if (id) tokens.push({ kind: "id", value: unescaped(id) });
      else if (name) tokens.push({ kind: "class", value: unescaped(name) });
      else if (attribute)
        tokens.push({ kind: "attribute", name: attribute, value: unescaped(value ?? bare) });
      else if (nth) tokens.push({ kind: "nth", value: Number(nth) });
      else if (has) tokens.push({ kind: "has", value: has, count: Number(count ?? 1) });
      else if (holds && isHeld(holds)) tokens.push({ kind: "holds", value: holds });
      else return undefined;
      rest = rest.slice(match[0].length);
    }
    if (tokens.length === 0) return undefined;
    selector.push({ tokens, ...(isChild && { isChild }) });
    const [combinator = ""] = /^(?:\s*>\s*|\s+)/.exec(rest) ?? [];
    if (rest !== "" && combinator === "") return undefined;
    isChild = combinator.includes(">");
    rest = rest.slice(combinator.length);
    if (rest === "" && combinator !== "") return undefined;
  }
  return selector.length === 0 ? undefined : selector;
}
