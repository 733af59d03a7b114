import { useMemo, useState } from "preact/hooks";
import { count } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { elementInWords, type PageElement } from "./model/page-map.ts";
import type { Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";

/** The list shows at most this many elements. The filter finds the others. */
const SHOWN = 400;

const ACTIONS = {
  pick: "Pick it",
  click: "Click it",
  type: "Fill it in",
  hover: "Point at it",
  wait: "Wait for it",
  single: "Read its value",
} as const;

/** The elements of the page as a list, for users who can't see the screenshot or don't use a pointer. */
export function ElementList({ recorder, pointing }: { recorder: Recorder; pointing: Pointing }) {
  const [filter, setFilter] = useState("");
  const [ref, setRef] = useState<number>();
  const { value: map } = recorder.map;
  const isDetail = recorder.detail.value !== undefined;
  const all = useMemo(() => {
    const isTelling = (element: PageElement) =>
      element.text !== "" || element.isPressable || element.isInput || element.tag === "img";
    return (map?.elements ?? []).filter(isTelling).map((element) => {
      const cell = isDetail ? undefined : map?.cellOf(element, recorder.chosen.value);
      const place = cell === undefined ? "" : ` (list ${cell.list + 1}, row ${cell.row + 1})`;
      return { element, words: `${elementInWords(element, map?.inputOf(element))}${place}` };
    });
  }, [map, recorder.chosen.value]);
  const found = all.filter(({ words }) => words.toLowerCase().includes(filter.trim().toLowerCase()));
  const chosen = found.find(({ element }) => element.ref === ref)?.element;
  const use = () => {
    if (chosen !== undefined) pointing.use(chosen);
  };
  return (
    <div class="element-list">
      <Field label="Find an element" type="search" value={filter} onValue={setFilter} />
      <select
        class="input"
        size={16}
        aria-label={`Elements of the page, ${count(found.length)}`}
        value={ref === undefined ? "" : String(ref)}
        onChange={(event) => {
          setRef(Number(event.currentTarget.value));
          pointing.hovered.value = map?.byRef(Number(event.currentTarget.value));
        }}
        onDblClick={use}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          use();
        }}
      >
        {found.slice(0, SHOWN).map(({ element, words }) => (
          <option key={element.ref} value={element.ref}>
            {words}
          </option>
        ))}
      </select>
      {found.length > SHOWN && (
        <p class="hint">
          The first {SHOWN} of {count(found.length)}. Search for the others.
        </p>
      )}
      {chosen !== undefined && <p class="hint">{pointing.does(chosen)}</p>}
      <div class="buttons">
        <Button onClick={use} disabled={chosen === undefined}>
          {recorder.detail.value === undefined ? ACTIONS[pointing.mode.value] : ACTIONS.single}
        </Button>
      </div>
    </div>
  );
}
