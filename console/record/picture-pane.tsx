import { useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { ElementList } from "./element-list.tsx";
import type { Mode, Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";
import { Picture } from "./picture.tsx";
import { Working } from "./working.tsx";

interface Tool {
  mode: Mode;
  title: string;
  key: string;
  /** What a click does in this mode. */
  does: string;
}

const TOOLS: readonly Tool[] = [
  {
    mode: "pick",
    title: "Pick",
    key: "P",
    does: "Point at a row to choose its list, or at a value to add or remove its column.",
  },
  { mode: "click", title: "Click", key: "C", does: "Point at a link or a button: the click becomes a step." },
  {
    mode: "type",
    title: "Type",
    key: "T",
    does: "Point at an input or a dropdown: what you fill in becomes a step.",
  },
  { mode: "hover", title: "Hover", key: "H", does: "Point at what opens a menu under the pointer." },
  { mode: "wait", title: "Wait", key: "W", does: "Point at what the page has to show before it is read." },
  {
    mode: "single",
    title: "Single value",
    key: "S",
    does: "Point at a text that every row should have, such as a heading.",
  },
];

/** How much larger than its frame the picture can be. */
const ZOOMS: readonly number[] = [1, 1.5, 2, 3];

interface GuideProps {
  recorder: Recorder;
  pointing: Pointing;
}

interface PaneProps extends GuideProps {
  /** Whether the rows are below the picture, which then has the whole width, or beside it. */
  isStacked: boolean;
  onStack: (isStacked: boolean) => void;
}

/** The page, as a screenshot or as a list of its elements. Its keyboard shortcuts work while the focus is inside. */
export function PicturePane({ recorder, pointing, isStacked, onStack }: PaneProps) {
  const [isList, setList] = useState(false);
  const [zoom, setZoom] = useState(1);
  // On the page of a row, a click reads a single value, whatever tool was chosen before.
  const mode = recorder.detail.value === undefined ? pointing.mode.value : "single";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.target instanceof HTMLInputElement) return;
    if (event.key === "Escape") pointing.stopPairing();
    const tool = TOOLS.find(({ key }) => key.toLowerCase() === event.key.toLowerCase());
    const isNumber = /^[1-5]$/.test(event.key);
    if (tool === undefined && !isNumber) return;
    event.preventDefault();
    if (tool !== undefined) pointing.setMode(tool.mode);
    else recorder.choose(Number(event.key) - 1);
  };
  return (
    <section class="pane" aria-label="The page" onKeyDown={onKeyDown}>
      <div class="pane-tools">
        <fieldset class="tools" disabled={recorder.detail.value !== undefined}>
          <legend class="visually-hidden">What a click on the page does</legend>
          {TOOLS.map((tool) => (
            <button
              key={tool.mode}
              type="button"
              class="tool"
              aria-pressed={tool.mode === mode}
              aria-keyshortcuts={tool.key}
              onClick={() => pointing.setMode(tool.mode)}
            >
              {tool.title}
              <span class="key" aria-hidden="true">
                {tool.key}
              </span>
            </button>
          ))}
        </fieldset>
        <div class="pane-views">
          {!isList && <Zoom zoom={zoom} onZoom={setZoom} />}
          <Button kind="quiet" class="small stacking" onClick={() => onStack(!isStacked)}>
            {isStacked ? "Rows beside" : "Rows below"}
          </Button>
          <Button kind="quiet" class="small" aria-pressed={isList} onClick={() => setList(!isList)}>
            {isList ? "As a picture" : "As a list"}
          </Button>
        </div>
      </div>
      <Guide recorder={recorder} pointing={pointing} />
      {isList ? (
        <ElementList recorder={recorder} pointing={pointing} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard.
        <section class="picture-scroll" tabIndex={0} aria-label="Picture of the page">
          <AboutPicture recorder={recorder} />
          <Picture recorder={recorder} pointing={pointing} zoom={zoom} />
          {recorder.look.value === undefined && (
            <div class="picture-waiting" role="status">
              <Working of={recorder.looking} />
            </div>
          )}
        </section>
      )}
    </section>
  );
}

/** Why there is no picture, or what is covered on it. */
function AboutPicture({ recorder }: { recorder: Recorder }) {
  const { value: shown } = recorder.shown;
  if (shown?.page == null) return null;
  const reason = shown.warnings.find(({ code }) => code.startsWith("screenshot_"))?.message;
  if (shown.screenshot !== null) return reason === undefined ? null : <p class="picture-none">{reason}</p>;
  return (
    <p class="picture-none">
      {reason ?? "There is no picture of the page."} You can still point at its elements.
    </p>
  );
}

/** Buttons that make the picture smaller and larger. */
function Zoom({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const at = ZOOMS.indexOf(zoom);
  const [smaller, larger] = [ZOOMS[at - 1], ZOOMS[at + 1]];
  return (
    <>
      <Button
        kind="quiet"
        class="small"
        aria-label="Smaller picture"
        disabled={smaller === undefined}
        onClick={() => smaller !== undefined && onZoom(smaller)}
      >
        −
      </Button>
      <Button
        kind="quiet"
        class="small"
        aria-label="Larger picture"
        disabled={larger === undefined}
        onClick={() => larger !== undefined && onZoom(larger)}
      >
        +
      </Button>
    </>
  );
}

/** Tells the user what to do next on the page, or why the last click had no effect. */
function Guide({ recorder, pointing }: GuideProps) {
  const tool = TOOLS.find((each) => each.mode === pointing.mode.value);
  const hint = recorder.hint.value;
  const isPairing = pointing.isPairing.value || pointing.first.value !== undefined;
  const isDetail = recorder.detail.value !== undefined;
  const text = isDetail
    ? "This is the page of the first row. Point at the values that each row should have from its page."
    : isPairing
      ? pointing.first.value === undefined
        ? "Point at something in one row, such as its title."
        : "Now point at the same thing in another row."
      : tool?.does;
  return (
    <p class={`guide ${hint === undefined ? "" : "warn"}`} role="status">
      <span>{hint ?? text}</span>
      {isDetail && (
        <Button
          class="small"
          onClick={() => {
            recorder.detail.value = undefined;
          }}
        >
          Done
        </Button>
      )}
      {isPairing && (
        <Button kind="quiet" class="small" onClick={() => pointing.stopPairing()}>
          Cancel
        </Button>
      )}
    </p>
  );
}
