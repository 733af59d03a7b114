/** What the time of a run is spent on, in the order in which it happens first. */
export const STAGES = [
  "queued",
  "claim",
  "browser",
  "connect",
  "first_byte",
  "read",
  "settled",
  "write",
  "webhook",
] as const;
export type Stage = (typeof STAGES)[number];

/** Called with the time that a stage took once, in ms. */
export type OnStage = (stage: Stage, ms: number) => void;

/** Does the work of a stage and reports how long it took, also if it fails. `onStage`: absent if nobody wants to know. */
export async function during<T>(
  onStage: OnStage | undefined,
  stage: Stage,
  work: () => Promise<T>,
): Promise<T> {
  if (onStage === undefined) return work();
  const started = performance.now();
  try {
    return await work();
  } finally {
    onStage(stage, performance.now() - started);
  }
}

/** Adds up the times of the stages. */
export class StageTimes {
  readonly #times = new Map<Stage, { ms: number; count: number }>();
  readonly #onStage: OnStage | undefined;

  /** @param onStage gets each time, too; absent: nothing is measured */
  constructor(onStage: OnStage | undefined) {
    this.#onStage = onStage;
  }

  /** Undefined if nothing is measured. */
  get add(): OnStage | undefined {
    const onStage = this.#onStage;
    return (
      onStage &&
      ((stage, ms) => {
        const { ms: before, count } = this.#times.get(stage) ?? { ms: 0, count: 0 };
        this.#times.set(stage, { ms: before + ms, count: count + 1 });
        onStage(stage, ms);
      })
    );
  }

  /** The ms of each stage. Undefined if nothing is measured. */
  get ms(): Partial<Record<Stage, number>> | undefined {
    if (this.#onStage === undefined) return undefined;
    return Object.fromEntries(this.#all().map(([stage, { ms }]) => [stage, Math.round(ms)]));
  }

  /** For people: `claim 3 ms, browser 80 ms, connect 12 ms (20 times)`. Undefined if nothing is measured. */
  get text(): string | undefined {
    if (this.#onStage === undefined) return undefined;
    return this.#all()
      .map(([stage, { ms, count }]) => {
        const times = count > 1 ? ` (${count} times)` : "";
        return `${stage.replace("_", " ")} ${Math.round(ms)} ms${times}`;
      })
      .join(", ");
  }

  #all() {
    return STAGES.flatMap((stage) => {
      const time = this.#times.get(stage);
      return time ? [[stage, time] as const] : [];
    });
  }
}
