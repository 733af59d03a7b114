import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import type { List } from "./model/definition.ts";
import type { Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";

/** The proposed lists of the page to choose from, with the numbers that they have on the screenshot. */
export function Lists({ recorder, pointing }: { recorder: Recorder; pointing: Pointing }) {
  const { value: lists } = recorder.lists;
  const { value: chosen } = recorder.chosen;
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
            <label key={list.selector} class="choice">
              <input
                type="radio"
                name="list"
                class="visually-hidden"
                checked={index === chosen}
                onChange={() => recorder.choose(index)}
              />
              <span class="choice-number" aria-hidden="true">
                {index + 1}
              </span>
              <span class="choice-text">
                <strong>{counted(list.count, "row")}</strong> <span class="soft">{sampleOf(list)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Section>
  );
}

/** The texts of the first row, in one line. */
const sampleOf = ({ fields, sample_rows: [row = {}] }: List): string =>
  fields
    .filter(({ kind }) => kind !== "url" && kind !== "image")
    .flatMap(({ name }) => row[name] ?? [])
    .join(" · ");
