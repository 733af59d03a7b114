import { columnsOf } from "../../functions/rows/columns.ts";
import { api, type Row, type Run } from "../api/api.ts";
import { useLoad } from "../api/use-load.ts";
import { count, counted } from "../format/numbers.ts";
import { Section } from "../ui/page.tsx";

const SAMPLE = 1_000;

/** A table that shows, for each field, the share of the first rows that have a value in it. */
export function Fill({ run }: { run: Run }) {
  const { data } = useLoad(
    (signal) => api.readRows("runs", run.id, { offset: 0, limit: SAMPLE }, signal),
    [run.id, run.status],
  );
  if (data === undefined || data.rows.length === 0) return null;
  const { rows } = data;
  const fields = columnsOf(run.steps).map((name) => ({
    name,
    filled: rows.filter((row) => has(row, name)).length,
  }));
  return (
    <Section
      title="Fields"
      aside={
        <span class="hint">
          filled in{" "}
          {rows.length < run.row_count ? `the first ${count(SAMPLE)} rows` : counted(rows.length, "row")}
        </span>
      }
    >
      <div class="table-frame">
        <table class="table fill">
          <caption class="visually-hidden">How many rows have each field</caption>
          <tbody>
            {fields.map(({ name, filled }) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td class="fill-bar" aria-hidden="true">
                  <span
                    class={filled === 0 ? "none" : ""}
                    style={{ width: `${(filled / rows.length) * 100}%` }}
                  />
                </td>
                <td class="number">{percent(filled / rows.length)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const has = (row: Row, name: string): boolean => (row[name] ?? "").trim() !== "";

/** A share (0 to 1) in percent. Only exactly 1 becomes "100 %", and only exactly 0 becomes "0 %". */
function percent(share: number): string {
  if (share > 0 && share < 0.01) return "< 1 %";
  return `${share > 0.99 && share < 1 ? 99 : Math.round(share * 100)} %`;
}
