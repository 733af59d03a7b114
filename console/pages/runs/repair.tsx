import { useState } from "preact/hooks";
import {
  type Change,
  changesOf,
  pairRows,
  type RowPair,
  repaired,
  suggestionsOf,
  type TriedRepair,
  tryRepair,
} from "../../../functions/inspections/repair.ts";
import { api, type Definition, type Row, type Run, type TaggedScraper } from "../../api/api.ts";
import { hasStatus } from "../../api/api-error.ts";
import { forConsole } from "../../format/advice.ts";
import { counted } from "../../format/numbers.ts";
import { navigate } from "../../router/router.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice, Problems } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { definitionOf } from "../scrapers/use-store.ts";

/** Rows of the last good run that the new rows are looked for in, and how many pairs are shown. */
const COMPARED = 100;
const SHOWN = 5;

/** A repair that was tried, and the version of the scraper that it changes. */
interface Tried extends TriedRepair {
  tagged: TaggedScraper;
  definition: Definition;
  changes: Change[];
  pairs: RowPair[];
}

/** Offers what a run suggests in place of selectors that find nothing, and stores it only if a person says so. */
export function Repair({ run }: { run: Run }) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown; tried?: Tried }>({ busy: false });
  if (suggestionsOf(run).length === 0) return null;
  const start = async () => {
    setState({ busy: true });
    try {
      setState({ busy: false, tried: await tried(run) });
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <Notice tone="info" title="Other selectors may work">
      <div class="stack">
        <p>
          The page still shows values of the last good run, in other elements. Gleaner can read it with
          selectors for these elements, and show you both. It changes the scraper only if you say so.
        </p>
        <div class="buttons">
          <Button needs="write" kind="primary" busy={state.busy} onClick={start}>
            {state.busy ? "Reading the page" : "Try the suggestion"}
          </Button>
        </div>
        <Problems error={state.error} />
      </div>
      {state.tried !== undefined && (
        <Comparison tried={state.tried} onClose={() => setState({ busy: false })} />
      )}
    </Notice>
  );
}

/** @throws Error if the scraper has changed since the run */
async function tried(run: Run): Promise<Tried> {
  const tagged = await api.getScraper(run.scraper_id);
  const { scraper } = tagged;
  if (scraper.version !== run.scraper_version)
    throw new Error(
      `The scraper has changed since this run: that was version ${run.scraper_version}, and now it is version ${scraper.version}. Run it again first.`,
    );
  const suggested = suggestionsOf(run);
  const fixed = repaired(scraper, suggested);
  const definition = definitionOf(fixed);
  const [before, now] = await Promise.all([
    lastGoodRows(run.scraper_id),
    tryRepair(suggested, (options) => api.inspect({ definition, want: ["rows"], ...options })),
  ]);
  const pairs = pairRows(before, now.rows).filter(([, row]) => row !== undefined);
  return { ...now, tagged, definition, changes: changesOf(scraper, fixed), pairs: pairs.slice(0, SHOWN) };
}

async function lastGoodRows(scraperId: string): Promise<Row[]> {
  const { data } = await api.listRuns({ scraperId, status: "successful" });
  const good = data.find((run) => run.row_count > 0 && suggestionsOf(run).length === 0);
  return good ? (await api.readRows("runs", good.id, { offset: 0, limit: COMPARED })).rows : [];
}

function Comparison({ tried, onClose }: { tried: Tried; onClose: () => void }) {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const { tagged, definition, changes, pairs, problem, doubt } = tried;
  const { scraper, etag } = tagged;
  const store = async () => {
    setState({ busy: true });
    try {
      const stored = await api.replaceScraper(scraper.id, definition, etag);
      toast(`Saved as version ${stored.scraper.version}.`);
      navigate(`/scrapers/${scraper.id}`);
    } catch (error) {
      const isOther = hasStatus(error, 412);
      setState({
        busy: false,
        error: isOther ? new Error("Somebody else has changed this scraper. Run it again first.") : error,
      });
    }
  };
  return (
    <Dialog
      title="The suggested selectors"
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {problem === undefined && (
            <Button kind="primary" busy={state.busy} onClick={store}>
              Save as version {scraper.version + 1}
            </Button>
          )}
        </>
      }
    >
      {problem !== undefined && (
        <Notice tone="bad" title="The suggestion does not help">
          <p>{forConsole(problem)}</p>
        </Notice>
      )}
      {doubt !== undefined && (
        <Notice tone="warn" title="It could not be tried to its end">
          <p>{forConsole(doubt)}</p>
        </Notice>
      )}
      <Changes changes={changes} />
      {pairs.length > 0 && <Pairs pairs={pairs} />}
      <Problems error={state.error} />
    </Dialog>
  );
}

const NAMES = { selector: "Selector", pagination: "Pagination" } as const;

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A keyboard has to scroll a wide table.
    <section class="table-frame" tabIndex={0} aria-label="Selectors before and after">
      <table class="table differences">
        <caption class="visually-hidden">Selectors before and after</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">Suggested</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ step, what, before, after }) => {
            const name = what.part === "field" ? what.name : NAMES[what.part];
            return (
              <tr key={`${step} ${what.part} ${name}`}>
                <th scope="row">
                  {name} <span class="soft">step {step + 1}</span>
                </th>
                <td>
                  <code>{before}</code>
                </td>
                <td>
                  <code>{after}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Rows of the last good run beside the same rows now. */
function Pairs({ pairs }: { pairs: readonly RowPair[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A keyboard has to scroll a wide table.
    <section class="table-frame" tabIndex={0} aria-label="Rows before and now">
      <table class="table differences">
        <caption class="visually-hidden">
          {counted(pairs.length, "row")} of the last good run, and now
        </caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Last good run</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {pairs.flatMap(([before = {}, now = {}], index) =>
            [...new Set([...Object.keys(before), ...Object.keys(now)])].map((name) => (
              <tr key={`${index} ${name}`}>
                <th scope="row">
                  {name} <span class="soft">row {index + 1}</span>
                </th>
                <td>{before[name] ?? <span class="soft">none</span>}</td>
                <td>{now[name] ?? <span class="soft">none</span>}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </section>
  );
}
