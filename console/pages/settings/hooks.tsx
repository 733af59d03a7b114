import type { ComponentChildren } from "preact";
import { targetOf } from "../../../functions/hooks/hook-words.ts";
import { api, type Hook } from "../../api/api.ts";
import { StoredList } from "../../ui/stored-list.tsx";
import { Time } from "../../ui/time.tsx";
import { lookUpNames, names } from "../runs/names.ts";
import { HookDialog } from "./hook-dialog.tsx";
import { HookTest } from "./hook-test.tsx";

/** The hooks of the account. They can be added, tested and deleted. */
export const Hooks = () => (
  <StoredList
    kind="hook"
    lead="A hook tells you, your team or your program that something has happened: a scraper is failing, it works again, a run or a batch has finished, or credits are low."
    load={loadHooks}
    nameOf={({ url }) => `to ${targetOf(url)}`}
    add="Add a hook"
    actions={["Test"]}
    dialog={({ item }, { onClose, onDone }) =>
      item === undefined ? (
        <HookDialog
          onClose={onClose}
          onStored={({ url }) => onDone(`The hook to ${targetOf(url)} is added. Test it.`)}
        />
      ) : (
        <HookTest hook={item} onClose={() => onDone()} />
      )
    }
    removal={{
      verb: "Delete",
      consequence: "Alerts that have not arrived yet are not delivered any more.",
      remove: ({ id }) => api.deleteHook(id),
    }}
  >
    {(hooks, buttonsOf) => (
      <ul class="commands">
        {hooks.map((hook) => (
          <HookCard key={hook.id} hook={hook} buttons={buttonsOf(hook)} />
        ))}
      </ul>
    )}
  </StoredList>
);

/** The hooks, when the names of their scrapers are known. */
async function loadHooks(signal: AbortSignal): Promise<Hook[]> {
  const hooks = await api.listHooks(signal);
  const ofOne = hooks.flatMap(({ scraper_id }) => (scraper_id === null ? [] : [{ scraper_id }]));
  await lookUpNames(ofOne, signal);
  return hooks;
}

function HookCard({ hook, buttons }: { hook: Hook; buttons: ComponentChildren }) {
  const { url, format, events, scraper_id: id, disabled } = hook;
  return (
    <li class="card hook">
      <div>
        <h3>
          {targetOf(url)} <span class="soft">{format}</span>
        </h3>
        <p class="hint">
          {events.join(", ")} of{" "}
          {id === null ? (
            "all scrapers"
          ) : (
            <a href={`/scrapers/${id}`}>{names.value.get(id) ?? "one scraper"}</a>
          )}
        </p>
        {disabled === null ? (
          <p class="status good">Enabled</p>
        ) : (
          <p class="hint">
            <span class="status bad">Disabled</span> <Time at={disabled.at} />. {disabled.reason}
          </p>
        )}
      </div>
      {buttons}
    </li>
  );
}
