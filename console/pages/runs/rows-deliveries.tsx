import type { RowsDelivery } from "../../../functions/contract/scrapers/delivery.ts";
import { Time } from "../../ui/time.tsx";

const STATES: Record<RowsDelivery["state"], { word: string; tone: string }> = {
  pending: { word: "Not delivered yet", tone: "busy" },
  delivered: { word: "Delivered", tone: "good" },
  failed: { word: "Not delivered", tone: "bad" },
  skipped: { word: "Skipped", tone: "idle" },
};

/** How the delivery of rows to a destination stands, and what its last attempt says. */
export function DeliveryState({ delivery }: { delivery: RowsDelivery }) {
  const { state, next_attempt_at: next, attempts } = delivery;
  const last = attempts.at(-1);
  const { word, tone } = STATES[state];
  return (
    <p class="hint">
      <span class={`status ${tone}`}>{word}</span>{" "}
      {last !== undefined && (
        <>
          {state === "pending" && "Last attempt "}
          <Time at={last.at} />: {last.answer}{" "}
        </>
      )}
      {next !== null && (
        <>
          Next attempt <Time at={next} />.
        </>
      )}
    </p>
  );
}

/** The deliveries of the rows of a run to its destinations. */
export const RowsDeliveries = ({ deliveries }: { deliveries: readonly RowsDelivery[] }) => (
  <ul class="commands">
    {deliveries.map((delivery) => (
      <li key={delivery.to + delivery.mode} class="card hook">
        <div>
          <h3>
            {delivery.to} <span class="soft">{delivery.mode}</span>
          </h3>
          <DeliveryState delivery={delivery} />
        </div>
      </li>
    ))}
  </ul>
);
