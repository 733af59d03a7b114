import type { ComponentChildren } from "preact";
import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { type List, placeOf } from "./model/definition.ts";
import type { Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";

/** The proposed lists of the page to choose from, with the numbers that they have on the screenshot, and their JSON. */
export function Lists({ recorder, pointing }: { recorder: Recorder; pointing: Pointing }) {
  const { value: lists } = recorder.lists;
  const { value: chosen } = recorder.chosen;
  const { value: isJson } = recorder.isJson;
  return (
    <Section
      title="List"
      aside={
        <Button
          kind="quiet"
          class="small"
          aria-pressed={pointing.isPairing.value}
          onClick={() => pointing.startPairing()}
        >
          Rows like these two…
        </Button>
      }
    >
      {lists.length === 0 ? (
        <p class="soft small">None was found. Point at the same thing in two rows, such as their titles.</p>
      ) : (
        <fieldset class="options">
          <legend class="visually-hidden">Lists of the page</legend>
          {lists.map((list, index) => (
            <Choice
              key={placeOf(list)}
              isChosen={index === chosen && !isJson}
              number={index + 1}
              onChoose={() => recorder.choose(index)}
            >
              <strong>{counted(list.count, "row")}</strong> <span class="soft">{sampleOf(list)}</span>
            </Choice>
          ))}
          {lists.map(
            ({ from_json: json, count }, index) =>
              json && (
                <Choice
                  key={placeOf(json)}
                  isChosen={index === chosen && isJson}
                  number={index + 1}
                  onChoose={() => recorder.choose(index, true)}
                >
                  <strong>{counted(json.count, "row")} from JSON</strong>{" "}
                  <span class="soft">
                    {counted(json.fields.length, "field")} · {json.matched} of {count} rows match
                  </span>
                  {json.differences.map(({ field, rows, shown, in_json }) => (
                    <span key={field} class="choice-note">
                      {field} differs in {counted(rows, "row")}: “{shown}” on the page, “{in_json}” in JSON
                    </span>
                  ))}
                </Choice>
              ),
          )}
        </fieldset>
      )}
    </Section>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  number: number;
  onChoose: () => void;
  children: ComponentChildren;
}

function Choice({ isChosen, number, onChoose, children }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="radio" name="list" class="visually-hidden" checked={isChosen} onChange={onChoose} />
      <span class="choice-number" aria-hidden="true">
        {number}
      </span>
      <span class="choice-text">{children}</span>
    </label>
  );
}

/** The texts of the first row, in one line. */
const sampleOf = ({ fields, sample_rows: [row = {}] }: List): string =>
  fields
    .filter(({ kind }) => kind !== "url" && kind !== "image")
    .flatMap(({ name }) => row[name] ?? [])
    .join(" · ");
