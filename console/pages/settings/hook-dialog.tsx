import { useState } from "preact/hooks";
import type { HookEventType, HookFormat } from "../../../functions/contract/hooks/hook.ts";
import { DEFAULT_EVENTS, hookUrl } from "../../../functions/hooks/hook-words.ts";
import { api, type Hook } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { Checkbox, Field, Select } from "../../ui/field.tsx";
import { FormDialog, useSending } from "../../ui/form-dialog.tsx";

/** What each format is called, what its address looks like, and where people find it. */
const FORMATS: Record<HookFormat, { label: string; like: string; hint: string }> = {
  slack: {
    label: "Slack",
    like: "https://hooks.slack.com/services/T…/B…/…",
    hint: "The address of an incoming webhook.",
  },
  discord: {
    label: "Discord",
    like: "https://discord.com/api/webhooks/…",
    hint: "The address of a webhook of a channel.",
  },
  teams: {
    label: "Microsoft Teams",
    like: "https://….logic.azure.com/workflows/…",
    hint: "The address of a workflow “Post to a channel when a webhook request is received”.",
  },
  ntfy: { label: "ntfy", like: "https://ntfy.sh/my-alerts", hint: "A server and a topic." },
  email: {
    label: "E-mail",
    like: "ops@example.com",
    hint: "One address. The operator of the service has to set up a mail server.",
  },
  standard: {
    label: "For programs",
    like: "https://…",
    hint: "Requests are signed as the Standard Webhooks specification says.",
  },
};

const EVENTS: Record<HookEventType, string> = {
  "scraper.failing": "A scraper begins to fail, or its rows are not as usual.",
  "scraper.recovered": "It is successful and as usual again.",
  "run.changed": "Rows are new, changed or removed since the last good run.",
  "run.finished": "A run has ended, successfully or not.",
  "batch.finished": "A batch has ended.",
  "credits.low": "Less than 20 % of the month’s credits are left.",
};

interface HookDialogProps {
  onClose: () => void;
  onStored: (hook: Hook) => void;
}

/** Adds a hook. */
export function HookDialog({ onClose, onStored }: HookDialogProps) {
  const { data: scrapers } = useLoad(async (signal) => (await api.listScrapers(1, signal)).data, []);
  const [format, setFormat] = useState<HookFormat>("slack");
  const [address, setAddress] = useState("");
  const [events, setEvents] = useState<readonly HookEventType[]>(DEFAULT_EVENTS);
  const [scraper, setScraper] = useState("");
  const sending = useSending();
  const submit = () =>
    sending.submit(async () => {
      const url = hookUrl(format, address.trim());
      onStored(await api.createHook({ url, format, events: [...events], scraper_id: scraper || null }));
    });
  const { wrong } = sending;
  const { like, hint } = FORMATS[format];
  return (
    <FormDialog
      title="Add a hook"
      action="Add"
      sending={sending}
      shown={["url", "events"]}
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label="Format"
        value={format}
        options={Object.entries(FORMATS).map(([value, { label }]) => ({ value, label }))}
        onValue={(value) => setFormat(value as HookFormat)}
        autofocus
      />
      <Field
        label="Address"
        value={address}
        onValue={setAddress}
        placeholder={like}
        autocomplete="off"
        spellcheck={false}
        error={wrong("url")}
        hint={hint}
      />
      <Events chosen={events} error={wrong("events")} onChosen={setEvents} />
      <Select
        label="Scrapers"
        value={scraper}
        options={[
          { value: "", label: "All" },
          ...(scrapers ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onValue={setScraper}
        hint="The hook of one scraper is deleted with it."
      />
    </FormDialog>
  );
}

interface EventsProps {
  chosen: readonly HookEventType[];
  error: string | undefined;
  onChosen: (chosen: readonly HookEventType[]) => void;
}

function Events({ chosen, error, onChosen }: EventsProps) {
  const toggle = (name: HookEventType) =>
    onChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <fieldset class="hook-events">
      <legend class="legend">Events</legend>
      {(Object.keys(EVENTS) as HookEventType[]).map((name) => (
        <Checkbox
          key={name}
          label={
            <>
              <code>{name}</code> <span class="soft">{EVENTS[name]}</span>
            </>
          }
          checked={chosen.includes(name)}
          onValue={() => toggle(name)}
        />
      ))}
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
