import { useId, useState } from "preact/hooks";

export interface Bar {
  key: string;
  /** What the bar represents, such as a time or a day. */
  label: string;
  value: number;
  /** The value with its unit, such as "12 rows". */
  text: string;
  tone?: "good" | "bad" | "warn" | "idle" | "busy";
  href?: string;
}

interface BarsProps {
  title: string;
  /** The column headers of the table: one for the labels, one for the values. */
  headers: readonly [string, string];
  /** From left to right. */
  bars: readonly Bar[];
}

const HEIGHT = 120;
const WIDTH = 600;

/** A bar chart. A button shows the same values as a table. */
export function Bars({ title, headers, bars }: BarsProps) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const highest = bars.find(({ value }) => value === most);
  const room = WIDTH / Math.max(bars.length, 12);
  const width = Math.max(2, room - Math.min(6, room * 0.3));
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption class="chart-head">
        <h2 class="card-title" id={id}>
          {title}
        </h2>
        <button type="button" class="link" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          As a table
        </button>
      </figcaption>
      {isTable ? (
        <BarTable headers={headers} bars={bars} />
      ) : (
        <>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={summaryOf(title, bars)}
          >
            <line class="chart-line" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
            {bars.map(({ key, label, value, text, tone = "good" }, index) => {
              // A value of 0 is drawn too, as a flat bar.
              const height = value === 0 ? 2 : Math.max(3, (value / most) * (HEIGHT - 4));
              return (
                <rect
                  key={key}
                  class={`chart-bar ${value === 0 ? "zero" : tone}`}
                  x={index * room}
                  y={HEIGHT - height}
                  width={width}
                  height={height}
                >
                  <title>{`${label}: ${text}`}</title>
                </rect>
              );
            })}
          </svg>
          <p class="chart-axis hint">
            <span>{dayOf(bars[0])}</span>
            {highest !== undefined && <span>most: {highest.text}</span>}
            <span>{dayOf(bars.at(-1))}</span>
          </p>
        </>
      )}
    </figure>
  );
}

const dayOf = (bar: Bar | undefined): string => bar?.label.split(",")[0] ?? "";

const summaryOf = (title: string, bars: readonly Bar[]): string =>
  `${title}: ${bars.length} values, the last one ${bars.at(-1)?.text ?? "none"}`;

function BarTable({ headers, bars }: Pick<BarsProps, "headers" | "bars">) {
  return (
    <div class="chart-table table-frame">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{headers[0]}</th>
            <th scope="col" class="number">
              {headers[1]}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map(({ key, label, text, href }) => (
            <tr key={key}>
              <th scope="row">{href === undefined ? label : <a href={href}>{label}</a>}</th>
              <td class="number">{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
