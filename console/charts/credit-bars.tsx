import { api, type Run } from "../api/api.ts";
import { useLoad } from "../api/use-load.ts";
import { counted } from "../format/numbers.ts";
import { Bars } from "./bars.tsx";

/** How many pages of 50 runs are read to sum up their credits. */
const PAGES = 4;
const DAYS = 30;
const DAY_MS = 86_400_000;

async function newestRuns(signal: AbortSignal): Promise<{ runs: Run[]; isPart: boolean }> {
  const runs: Run[] = [];
  for (let page = 1; page <= PAGES; page += 1) {
    const { data, next_page } = await api.listRuns({ page }, signal);
    runs.push(...data);
    if (next_page === null) return { runs, isPart: false };
  }
  return { runs, isPart: true };
}

/**
 * A bar chart of the credits that runs used on each of the last 30 days (UTC). A run counts on the day it was created.
 */
export function CreditBars() {
  const { data } = useLoad(newestRuns, []);
  if (data === undefined || data.runs.length === 0) return null;
  const days = daysOf(data.runs, new Date());
  return (
    <div class="card">
      <Bars
        title="Credits of runs by day"
        headers={["Day (UTC)", "Credits"]}
        bars={days.map(({ day, credits }) => ({
          key: day,
          label: day,
          value: credits,
          text: counted(credits, "credit"),
        }))}
      />
      <p class="hint">
        {data.isPart && `Based on the newest ${counted(data.runs.length, "run")} only. `}
        Inspections, such as those of the recorder, and deleted runs count towards the month, but not here.
      </p>
    </div>
  );
}

function daysOf(runs: readonly Run[], today: Date): { day: string; credits: number }[] {
  const used = new Map<string, number>();
  for (const { created_at, credits_used } of runs) {
    const day = created_at.slice(0, 10);
    used.set(day, (used.get(day) ?? 0) + credits_used);
  }
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(today.getTime() - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, credits: used.get(day) ?? 0 };
  });
}
