import { columnsOf } from "../../functions/rows/columns.ts";
import { api, type Row, type Run } from "../api/api.ts";
import { useLoad } from "../api/use-load.ts";
import { count, counted } from "../format/numbers.ts";
import { Section } from "../ui/page.tsx";

const SAMPLE = 1_000;

/** How many of the first rows have each field. */
export function Fill({ run }: { run: Run }) {
  const { data } = useLoad(
    (signal) => api.readRows(run.id, { offset: 0, limit: SAMPLE }, signal),
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

/** Not 100 % before all of them are filled, and not 0 % while one is. */
function percent(share: number): string {
  if (share > 0 && share < 0.01) return "< 1 %";
  return `${share > 0.99 && share < 1 ? 99 : Math.round(share * 100)} %`;
}
