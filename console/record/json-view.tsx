import { useEffect, useRef, useState } from "preact/hooks";
import { TextArea } from "../ui/field.tsx";
import { isSame } from "./model/definition.ts";
import { parseDefinition } from "./model/json.ts";
import type { Recorder } from "./model/recorder.ts";

/** How long typing must pause before a change is applied, in ms, because each change may open the page again. */
const PAUSE_MS = 600;

const asText = (value: unknown) => JSON.stringify(value, null, 2);

/** Edits the definition as JSON. A valid definition is applied as soon as typing pauses, so the form shows it too. */
export function JsonView({ recorder }: { recorder: Recorder }) {
  const { value: definition } = recorder.definition;
  const [text, setText] = useState(() => asText(definition));
  const latest = useRef(text);
  const parsed = parseDefinition(text);
  const problem = "problem" in parsed ? parsed.problem : undefined;
  // The definition may change elsewhere, for example by a click on the screenshot. The text follows it.
  useEffect(() => {
    setText((before) => {
      const known = parseDefinition(before);
      return "definition" in known && isSame(known.definition, definition) ? before : asText(definition);
    });
  }, [definition]);
  useEffect(() => {
    latest.current = text;
    const timer = setTimeout(() => take(recorder, text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => take(recorder, latest.current), []);
  return (
    <TextArea
      label="Definition"
      hint="Changes here also change the form, and the other way round."
      value={text}
      onValue={setText}
      error={problem}
    />
  );
}

function take(recorder: Recorder, text: string): void {
  const next = parseDefinition(text);
  if ("definition" in next) recorder.change(next.definition);
}
