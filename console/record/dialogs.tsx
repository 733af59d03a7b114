import { useState } from "preact/hooks";
import type { Step } from "../../functions/contract/steps/steps.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Field, Select } from "../ui/field.tsx";
import { Popover } from "../ui/popover.tsx";
import type { Box } from "./model/page-map.ts";
import type { AskedInput, AskedValue, Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";

/** The popover that is open beside the selected input or value, if there is one. */
export function Dialogs({ recorder, pointing }: { recorder: Recorder; pointing: Pointing }) {
  const { value: input } = pointing.input;
  const { value } = pointing.value;
  if (input !== undefined) return <InputPopover key={input.element.ref} asked={input} pointing={pointing} />;
  if (value !== undefined)
    return (
      <ValuePopover
        key={value.element.ref}
        asked={value}
        pointing={pointing}
        isDetail={recorder.detail.value !== undefined}
      />
    );
  return null;
}

const SECRET_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Asks for the value of an input: one of its options, a text, or the name of a secret. */
function InputPopover({ asked, pointing }: { asked: AskedInput; pointing: Pointing }) {
  const { input, target } = asked;
  const options = input?.options ?? [];
  const isPassword = input?.type === "password";
  const [value, setValue] = useState(options[0] ?? "");
  const [isSecret, setSecret] = useState(isPassword);
  const [submit, setSubmit] = useState(input?.type === "search");
  const isChoice = input?.step === "select_dropdown";
  const problem =
    isSecret && value !== "" && !SECRET_NAME.test(value)
      ? "A name has letters, digits, - and _ only, at most 64."
      : undefined;
  const isReady = problem === undefined && (!isSecret || value !== "");
  const add = () => {
    if (!isReady) return;
    const step: Step = isChoice
      ? { type: "select_dropdown", value, ...target }
      : {
          type: "write_input",
          value: isSecret ? `{{secret:${value}}}` : value,
          ...target,
          ...(submit && { submit: true }),
        };
    pointing.fillIn(step);
  };
  return (
    <Popover
      title={input?.label ?? "Fill in"}
      anchor={() => boxOnScreen(asked.element)}
      onClose={() => {
        // The click that closes this popover may already have opened another one.
        if (pointing.input.value === asked) pointing.input.value = undefined;
      }}
      actions={
        <Button kind="primary" disabled={!isReady} onClick={add}>
          {isChoice ? "Choose it" : "Type it"}
        </Button>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        {isChoice && options.length > 0 ? (
          <Select
            label="Choose"
            value={value}
            options={options.map((option) => ({ value: option, label: option }))}
            onValue={setValue}
            autofocus
          />
        ) : (
          <>
            <Field
              label={isSecret ? "Name of the secret" : "Text"}
              value={value}
              onValue={setValue}
              error={problem}
              autofocus
              autocomplete="off"
              spellcheck={false}
              hint={
                isSecret
                  ? "The value is filled in when the step runs, and is never shown. Set it with: npx gleaner secret set NAME --host HOST"
                  : undefined
              }
            />
            <Checkbox label="Use a stored secret" checked={isSecret} onValue={setSecret} />
            <Checkbox label="Then press Enter" checked={submit} onValue={setSubmit} />
          </>
        )}
      </form>
    </Popover>
  );
}

interface ValuePopoverProps {
  asked: AskedValue;
  pointing: Pointing;
  /** Whether the value is read from the detail page of each row. */
  isDetail: boolean;
}

function ValuePopover({ asked, pointing, isDetail }: ValuePopoverProps) {
  const { element, selector } = asked;
  const [name, setName] = useState(asked.name);
  const [isAddress, setAddress] = useState(false);
  const attribute = element.tag === "img" ? "src" : isAddress ? "href" : undefined;
  const add = () => pointing.readValue(name.trim(), attribute);
  return (
    <Popover
      title={isDetail ? "A value of each row’s page" : "A value that every row has"}
      anchor={() => boxOnScreen(element)}
      onClose={() => {
        if (pointing.value.value === asked) pointing.value.value = undefined;
      }}
      actions={
        <Button kind="primary" disabled={name.trim() === ""} onClick={add}>
          Add it
        </Button>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") add();
        }}
      >
        <p class="soft">{element.text || "What the element shows."}</p>
        {/:nth-|nth=/.test(selector) && (
          <p class="small position">
            Gleaner finds this value only by its position. Check it in several rows.
          </p>
        )}
        <Field label="Name of its column" value={name} onValue={setName} autofocus autocomplete="off" />
        {element.tag === "a" && (
          <Checkbox label="Read the address of the link" checked={isAddress} onValue={setAddress} />
        )}
      </form>
    </Popover>
  );
}

/**
 * The position in the window, in px, of an element of the recorded page: its place on the screenshot. If the elements
 * are shown as a list instead, the position of the buttons below the list.
 */
function boxOnScreen({ x, y, height }: Box): Pick<DOMRect, "left" | "top" | "bottom"> {
  const picture = document.querySelector<HTMLElement>(".picture");
  const box = (picture ?? document.querySelector(".element-list .buttons"))?.getBoundingClientRect();
  if (box === undefined) return { left: 0, top: 0, bottom: 0 };
  const width = Number(picture?.dataset.width);
  if (!(width > 0)) return box;
  const scale = box.width / width;
  const top = box.top + y * scale;
  return { left: box.left + x * scale, top, bottom: top + height * scale };
}
