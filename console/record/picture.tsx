import { useMemo, useRef } from "preact/hooks";
import { keyOf, type List, placeOf } from "./model/definition.ts";
import { around, type Box, type PageElement, type PageMap } from "./model/page-map.ts";
import type { Pointing } from "./model/pointing.ts";
import type { Recorder } from "./model/recorder.ts";

/** The maximum width and height of the engine's screenshots, in px. The rest of a larger page is cut off. */
const SIDE_MAX = 8_000;
/**
 * The width of the engine's window, in px. A wider page is shown at the same scale, and can be scrolled horizontally.
 */
const WINDOW_WIDTH = 1_366;

interface PointerProps {
  recorder: Recorder;
  pointing: Pointing;
}

interface PictureProps extends PointerProps {
  /** How much larger the picture is than its frame. */
  zoom: number;
}

/** The screenshot of the page, with outlines and numbers of its lists. What a click does depends on the mode. */
export function Picture({ recorder, pointing, zoom }: PictureProps) {
  const { value: look } = recorder.shown;
  const { value: map } = recorder.map;
  const isDetail = recorder.detail.value !== undefined;
  const frame = useRef<HTMLDivElement>(null);
  if (look?.page == null || map === undefined) return null;
  const { title } = look.page;
  const [width, height] = [Math.min(look.page.width, SIDE_MAX), Math.min(look.page.height, SIDE_MAX)];
  const elementAt = ({ clientX, clientY }: MouseEvent): PageElement | undefined => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const scale = width / box.width;
    return map.at((clientX - box.left) * scale, (clientY - box.top) * scale);
  };
  return (
    // Users without a pointer can use the list of elements instead.
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a picture for pointers.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list of elements is the way by keyboard.
    <div
      ref={frame}
      class={`picture mode-${pointing.mode.value} ${recorder.looking.work.value === undefined ? "" : "is-old"}`}
      style={{
        aspectRatio: `${width} / ${height}`,
        width: `${Math.max(1, width / WINDOW_WIDTH) * zoom * 100}%`,
      }}
      data-width={width}
      onPointerMove={(event) => {
        pointing.hovered.value = elementAt(event);
      }}
      onPointerLeave={() => {
        pointing.hovered.value = undefined;
      }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest("button")) return;
        const element = elementAt(event);
        if (element !== undefined) pointing.use(element);
      }}
    >
      {look.screenshot !== null && (
        <img src={`data:image/jpeg;base64,${look.screenshot}`} alt={`The page ${title}`} draggable={false} />
      )}
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {look.screenshot === null && <Texts map={map} />}
        {!isDetail && <Outlines recorder={recorder} map={map} />}
        <Picks recorder={recorder} map={map} />
        <Pointed pointing={pointing} map={map} />
      </svg>
      <Label recorder={recorder} pointing={pointing} page={{ x: 0, y: 0, width, height }} />
      {!isDetail && <Numbers recorder={recorder} map={map} page={{ x: 0, y: 0, width, height }} />}
    </div>
  );
}

/** The largest size of a text, in px of the page. */
const TEXT_SIZE = 16;

/** The texts of the page at their places, where there is no picture. */
const Texts = ({ map }: { map: PageMap }) => (
  <>
    {map.elements.map(({ ref, x, y, width, height, text }) => {
      const size = Math.min(TEXT_SIZE, height * 0.8);
      // A text that would be wider than its element is cut.
      const most = Math.ceil(width / (size * 0.5));
      return (
        text !== "" && (
          <text
            key={ref}
            class="page-text"
            x={x}
            y={y + Math.min(height, TEXT_SIZE * 1.4) * 0.8}
            font-size={size}
          >
            {text.slice(0, most)}
          </text>
        )
      );
    })}
  </>
);

function Outlines({ recorder, map }: { recorder: Recorder; map: PageMap }) {
  const { value: lists } = recorder.lists;
  const { value: chosen } = recorder.chosen;
  const { value: step } = recorder.list;
  const list = lists[chosen];
  const keys = new Set(step?.fields.map(keyOf));
  const fields = list?.fields.filter((field) => keys.has(keyOf(field))) ?? [];
  return (
    <>
      {lists.map(
        (other, index) =>
          index !== chosen && <Outline key={placeOf(other)} box={around(map.rowsOf(other))} kind="other" />,
      )}
      {list !== undefined && map.rowsOf(list).map((row) => <Outline key={row.ref} box={row} kind="row" />)}
      {list !== undefined &&
        fields.flatMap((field) =>
          map
            .cellsOf(list, field)
            .map((cell) => <Outline key={`${field.name} ${cell.ref}`} box={cell} kind="cell" />),
        )}
    </>
  );
}

/** Outlines of the single values that are read already: those of the detail page if one is open. */
function Picks({ recorder, map }: { recorder: Recorder; map: PageMap }) {
  const { value: definition } = recorder.definition;
  const details =
    recorder.detail.value === undefined ? undefined : (recorder.list.value?.details?.fields ?? []);
  const read = details ?? definition?.steps.filter((step) => step.type === "get_text") ?? [];
  const places = new Set(read.map(placeOf));
  const picked = map.elements.filter((element) =>
    places.has(placeOf({ ...element, selector: map.selectorOf(element) })),
  );
  return (
    <>
      {picked.map((element) => (
        <Outline key={element.ref} box={element} kind="cell" />
      ))}
    </>
  );
}

/** Outlines of the element that a click would act on, and of the elements that were clicked before. */
function Pointed({ pointing, map }: { pointing: Pointing; map: PageMap }) {
  const { value: hovered } = pointing.hovered;
  const { value: first } = pointing.first;
  const asked = (pointing.input.value ?? pointing.value.value)?.element;
  const isAct = !["pick", "single", "wait"].includes(pointing.mode.value);
  const shown = hovered && (isAct ? map.pressedBy(hovered) : hovered);
  return (
    <>
      {first !== undefined && <Outline box={first} kind="picked" />}
      {asked !== undefined && <Outline box={asked} kind="picked" />}
      {shown !== undefined && <Outline box={shown} kind="hovered" />}
    </>
  );
}

/** Says beside the element under the pointer what a click does. */
function Label({ recorder, pointing, page }: PointerProps & { page: Box }) {
  const { value: element } = pointing.hovered;
  const text =
    element === undefined || recorder.looking.work.value !== undefined ? "" : pointing.does(element);
  if (element === undefined || text === "") return null;
  const isRight = element.x > page.width / 2;
  const isTop = element.y < LABEL_HEIGHT;
  return (
    <div
      class={`pointer-label ${isRight ? "at-right" : ""} ${isTop ? "below" : ""}`}
      aria-hidden="true"
      style={{
        [isRight ? "right" : "left"]:
          `${((isRight ? page.width - element.x - element.width : element.x) / page.width) * 100}%`,
        top: `${((isTop ? element.y + element.height : element.y) / page.height) * 100}%`,
      }}
    >
      {text}
    </div>
  );
}

/** An element nearer to the top of the page has its label below, in px. */
const LABEL_HEIGHT = 60;

const Outline = ({ box: { x, y, width, height }, kind }: { box: Box; kind: string }) => (
  <rect class={`outline ${kind}`} x={x} y={y} width={width} height={height} rx={3} />
);

/** A numbered button at the top left of each list. Buttons that would overlap are placed side by side. */
function Numbers({ recorder, map, page }: { recorder: Recorder; map: PageMap; page: Box }) {
  const { value: lists } = recorder.lists;
  const places = useMemo(() => placesOf(lists, map, page), [lists, map]);
  return (
    <>
      {lists.map((list, index) => (
        <button
          key={placeOf(list)}
          type="button"
          class="list-number"
          aria-pressed={index === recorder.chosen.value}
          aria-label={`List ${index + 1}: ${list.count} rows`}
          style={places[index]}
          onClick={() => recorder.choose(index)}
        >
          {index + 1}
        </button>
      ))}
    </>
  );
}

/** Buttons closer than this would overlap, in px. */
const NEAR = 56;

function placesOf(lists: readonly List[], map: PageMap, { width, height }: Box) {
  const taken: { x: number; y: number }[] = [];
  return lists.map((list) => {
    const rows = map.rowsOf(list);
    const { x, y } = rows.length === 0 ? { x: 0, y: 0 } : around(rows);
    const place = { x: Math.max(0, x), y: Math.max(0, y) };
    while (taken.some((each) => Math.abs(each.x - place.x) < NEAR && Math.abs(each.y - place.y) < NEAR))
      place.x += NEAR;
    taken.push(place);
    return { left: `${(place.x / width) * 100}%`, top: `${(place.y / height) * 100}%` };
  });
}
