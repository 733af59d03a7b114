import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Definition } from "../api/api.ts";
import { TextArea } from "../ui/field.tsx";
import { parseDefinition } from "./parse-definition.ts";

export interface ViewProps {
  definition: Definition;
  onValue: (definition: Definition) => void;
  /** Called with what is wrong with a text that is no definition, and with undefined when it is one again. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
}

const asText = (value: unknown) => JSON.stringify(value, null, 2);

/** Edits a definition as JSON. What is typed changes the definition as soon as it is valid. */
export function JsonView({ definition, onValue, onProblem }: ViewProps) {
  const [text, setText] = useState(() => asText(definition));
  const parsed = parseDefinition(text);
  const problem = "problem" in parsed ? parsed.problem : undefined;
  // The definition may change elsewhere, for example by a click on the picture. The text follows it.
  useEffect(() => {
    setText((before) => {
      const known = parseDefinition(before);
      return "definition" in known && asText(known.definition) === asText(definition)
        ? before
        : asText(definition);
    });
  }, [definition]);
  // Told before the problem is on show, so that nothing can be saved in between.
  useLayoutEffect(() => onProblem?.(problem), [problem]);
  useEffect(() => () => onProblem?.(undefined), []);
  const type = (value: string) => {
    setText(value);
    const next = parseDefinition(value);
    if ("definition" in next) onValue(next.definition);
  };
  return (
    <TextArea
      label="Definition"
      hint="Changes here also change the form, and the other way round."
      value={text}
      onValue={type}
      error={problem}
    />
  );
}
