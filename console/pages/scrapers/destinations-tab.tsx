import type { Delivery, RowsDelivery } from "../../../functions/contract/scrapers/delivery.ts";
import { targetOf } from "../../../functions/deliveries/target.ts";
import { api, type TaggedScraper } from "../../api/api.ts";
import { messageOf } from "../../api/api-error.ts";
import { Button } from "../../ui/button.tsx";
import { StoredList } from "../../ui/stored-list.tsx";
import { toast } from "../../ui/toast.tsx";
import { DeliveryState } from "../runs/rows-deliveries.tsx";
import { DestinationDialog } from "./destination-dialog.tsx";
import { definitionOf } from "./use-store.ts";

/** A destination with the delivery of the last rows. */
export interface Destination {
  settings: Delivery;
  index: number;
  tagged: TaggedScraper;
  /** The run or batch whose rows were sent last; undefined if none has ended. */
  of: string | undefined;
  delivery: RowsDelivery | undefined;
}

interface TabProps {
  tagged: TaggedScraper;
  onStored: (tagged: TaggedScraper) => void;
}

/** The destinations of a scraper's rows, with their last deliveries. */
export function DestinationsTab({ tagged, onStored }: TabProps) {
  /** Stores the destinations as the only change. @throws ApiError 412 if somebody else has changed the scraper */
  const store = async ({ scraper, etag }: TaggedScraper, deliveries: Delivery[]) => {
    const { deliveries: _, ...rest } = definitionOf(scraper);
    const definition = { ...rest, ...(deliveries.length > 0 && { deliveries }) };
    onStored(await api.replaceScraper(scraper.id, definition, etag));
  };
  return (
    <StoredList<Destination>
      kind="destination"
      lead="The rows of each good run are sent there. Rows that may be incomplete are not, unless you send them."
      load={(signal) => loadDestinations(tagged.scraper.id, signal)}
      isLive={(items) => items.some(({ delivery }) => delivery?.state === "pending")}
      nameOf={({ settings }) => targetOf(settings)}
      add="Add a destination"
      actions={["Edit"]}
      dialog={({ item }, { onClose, onDone }) => (
        <DestinationDialog
          settings={item?.settings}
          index={item?.index ?? tagged.scraper.deliveries?.length ?? 0}
          onClose={onClose}
          onStore={async (settings) => {
            const before = item?.tagged ?? tagged;
            const { deliveries = [] } = before.scraper;
            await store(
              before,
              item === undefined ? [...deliveries, settings] : deliveries.with(item.index, settings),
            );
            onDone("The destination is stored.");
          }}
        />
      )}
      removal={{
        verb: "Remove",
        consequence: "What was sent there stays.",
        remove: ({ tagged: before, index }) =>
          store(before, (before.scraper.deliveries ?? []).toSpliced(index, 1)),
      }}
    >
      {(items, buttonsOf, reload) => (
        <>
          <ul class="commands">
            {items.map((item) => (
              <li key={item.index} class="card hook">
                <div>
                  <h3>
                    {targetOf(item.settings)} <span class="soft">{item.settings.mode}</span>
                  </h3>
                  {item.delivery === undefined ? (
                    <p class="hint">No rows were sent in the last 30 days.</p>
                  ) : (
                    <DeliveryState delivery={item.delivery} />
                  )}
                </div>
                {buttonsOf(item)}
              </li>
            ))}
          </ul>
          <p class="hint">
            {items[0]?.of === undefined
              ? "No run has ended yet."
              : "To try the destinations, send the rows of the last run. A destination that has them gets no row twice."}
          </p>
          <div class="buttons">
            <Button
              needs="run"
              class="small"
              disabled={items[0]?.of === undefined}
              onClick={async () => {
                try {
                  await api.resendRows(items[0]?.of ?? "");
                } catch (error) {
                  toast(messageOf(error), { isBad: true });
                }
                await reload();
              }}
            >
              Send the last rows
            </Button>
          </div>
        </>
      )}
    </StoredList>
  );
}

async function loadDestinations(id: string, signal: AbortSignal): Promise<Destination[]> {
  const [tagged, { data: runs }, { data: batches }] = await Promise.all([
    api.getScraper(id, signal),
    api.listRuns({ scraperId: id }, signal),
    api.listBatches(1, signal),
  ]);
  const ended = [...runs, ...batches.filter(({ scraper_id }) => scraper_id === id)]
    .filter(({ status }) => status !== "running")
    .sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  const of = ended[0]?.id;
  const sent = of === undefined ? [] : (await api.getWebhook(of, signal)).deliveries;
  return (tagged.scraper.deliveries ?? []).map((settings, index) => ({
    ...{ settings, index, tagged, of },
    delivery: sent.find(({ to, mode }) => to === targetOf(settings) && mode === settings.mode),
  }));
}
