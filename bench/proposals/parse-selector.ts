import type { Compound, Selector, Token } from "../../functions/proposals/selector.ts";
import type { HeldTag } from "../../functions/proposals/tree.ts";

const TOKEN =
  /^(?:(?<tag>[\w-]+)|#(?<id>(?:\\[\da-f]+ |\\.|[\w\u0080-\uffff-])+)|\.(?<name>(?:\\[\da-f]+ |\\.|[\w\u0080-\uffff-])+)|\[(?<attribute>[\w:-]+)="(?<value>(?:\\.|[^"\\])*)"\]|:nth-of-type\((?<nth>\d+)\)|:has\(> (?<has>\w+)(?::nth-of-type\((?<count>\d+)\))?\)|:has\((?<holds>\w+)\))/;

const unescaped = (text: string) =>
  text.replace(/\\([\da-f]+) |\\(.)/gi, (_, code, character) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : character,
  );

/** Reads the CSS that the proposals write, and no other. */
export function parseSelector(css: string): Selector {
  const selector: Compound[] = [];
  let rest = css;
  let isChild = false;
  while (rest !== "") {
    const tokens: Token[] = [];
    for (let match = TOKEN.exec(rest); match; match = TOKEN.exec(rest)) {
      const { tag, id, name, attribute, value = "", nth, has, count, holds } = match.groups ?? {};
      if (tag) tokens.push({ kind: "tag", value: tag });
      else if (id) tokens.push({ kind: "id", value: unescaped(id) });
      else if (name) tokens.push({ kind: "class", value: unescaped(name) });
      else if (attribute) tokens.push({ kind: "attribute", name: attribute, value: unescaped(value) });
      else if (nth) tokens.push({ kind: "nth", value: Number(nth) });
      else if (has) tokens.push({ kind: "has", value: has, count: Number(count ?? 1) });
      else if (holds) tokens.push({ kind: "holds", value: holds as HeldTag });
      rest = rest.slice(match[0].length);
    }
    if (tokens.length === 0) throw new Error(`Can't read the selector ${css}`);
    selector.push({ tokens, ...(isChild && { isChild }) });
    const combinator = /^(?: > | )/.exec(rest)?.[0] ?? "";
    isChild = combinator === " > ";
    rest = rest.slice(combinator.length);
  }
  return selector;
}
