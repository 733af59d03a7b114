import { useState } from "preact/hooks";
import { targetOf } from "../../../functions/hooks/hook-words.ts";
import { api, type Hook } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Section } from "../../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { lookUpNames, names } from "../runs/names.ts";
import { HookDialog } from "./hook-dialog.tsx";
import { HookTest } from "./hook-test.tsx";

/** What is open: the dialog for a new hook, or one of the dialogs of a stored one. */
type Open = { what: "new" } | { what: "test" | "delete"; hook: Hook };

/** The hooks of the account. They can be added, tested and deleted. */
export function Hooks() {
  const { data, error, reload } = useLoad(async (signal) => {
    const hooks = await api.listHooks(signal);
    const ofOne = hooks.flatMap(({ scraper_id }) => (scraper_id === null ? [] : [{ scraper_id }]));
    await lookUpNames(ofOne, signal);
    return hooks;
  }, []);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = (text: string) => {
    close();
    toast(text);
    void reload();
  };
  return (
    <Section
      title="Hooks"
      aside={
        <Button needs="write" class="small" onClick={() => setOpen({ what: "new" })}>
          Add a hook
        </Button>
      }
    >
      <p class="lead">
        A hook tells you, your team or your program that something has happened: a scraper is failing, it
        works again, a run or a batch has finished, or credits are low.
      </p>
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="the hooks" lines={2} />}
      {data?.length === 0 && <Empty title="No hooks yet" />}
      {data !== undefined && data.length > 0 && (
        <ul class="commands">
          {data.map((hook) => (
            <HookCard key={hook.id} hook={hook} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {open?.what === "new" && (
        <HookDialog
          onClose={close}
          onStored={({ url }) => done(`The hook to ${targetOf(url)} is added. Test it.`)}
        />
      )}
      {open?.what === "test" && (
        <HookTest
          hook={open.hook}
          onClose={() => {
            close();
            void reload();
          }}
        />
      )}
      {open?.what === "delete" && (
        <Confirm
          title={`Delete the hook to ${targetOf(open.hook.url)}?`}
          action="Delete the hook"
          onClose={close}
          onConfirm={async () => {
            await api.deleteHook(open.hook.id);
            done(`The hook to ${targetOf(open.hook.url)} is deleted.`);
          }}
        >
          <p>Alerts that have not arrived yet are not delivered any more.</p>
        </Confirm>
      )}
    </Section>
  );
}

interface HookCardProps {
  hook: Hook;
  onOpen: (open: Open) => void;
}

function HookCard({ hook, onOpen }: HookCardProps) {
  const { url, format, events, scraper_id: id, disabled } = hook;
  const target = targetOf(url);
  return (
    <li class="card hook">
      <div>
        <h3>
          {target} <span class="soft">{format}</span>
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
      <div class="buttons">
        <Button
          class="small"
          needs="write"
          aria-label={`Test the hook to ${target}`}
          onClick={() => onOpen({ what: "test", hook })}
        >
          Test
        </Button>
        <Button
          class="small"
          kind="danger"
          needs="write"
          aria-label={`Delete the hook to ${target}`}
          onClick={() => onOpen({ what: "delete", hook })}
        >
          Delete
        </Button>
      </div>
    </li>
  );
}
