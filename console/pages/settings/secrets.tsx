import { useState } from "preact/hooks";
import { api, type SecretEntry } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Section } from "../../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** What is open: the dialog for a new secret, or one of the dialogs of a stored one. */
type Open = { what: "new" } | { what: "replace" | "remove"; secret: SecretEntry };

/** The secrets of the account, without their values. The service on one machine can add, replace and remove them. */
export function Secrets() {
  const { data, error, reload } = useLoad((signal) => api.listSecrets(signal), []);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = (text: string) => {
    close();
    toast(text);
    void reload();
  };
  return (
    <Section
      title="Secrets"
      aside={
        <Button class="small" needs="write" onClick={() => setOpen({ what: "new" })}>
          Add a secret
        </Button>
      }
    >
      <p class="lead">
        Passwords and keys for sites. Scrapers use them as <code>{"{{secret:name}}"}</code>. Nobody can read a
        value again.
      </p>
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="the secrets" lines={2} />}
      {data?.length === 0 && <Empty title="No secrets yet" />}
      {data !== undefined && data.length > 0 && (
        <Table caption="Secrets" columns={columnsWith(setOpen)} items={data} keyOf={({ name }) => name} />
      )}
      {(open?.what === "new" || open?.what === "replace") && (
        <SecretDialog
          stored={open.what === "replace" ? open.secret : undefined}
          taken={data?.map(({ name }) => name) ?? []}
          onClose={close}
          onStored={(name) => done(`The secret ${name} is stored`)}
        />
      )}
      {open?.what === "remove" && (
        <Confirm
          title={`Remove the secret ${open.secret.name}?`}
          action="Remove"
          onClose={close}
          onConfirm={async () => {
            await api.removeSecret(open.secret.name);
            done(`The secret ${open.secret.name} is removed`);
          }}
        >
          <p>Its value can’t be restored. Runs of scrapers that use it fail from now on.</p>
        </Confirm>
      )}
    </Section>
  );
}

const columnsWith = (onOpen: (open: Open) => void): Column<SecretEntry>[] => [
  { title: "Name", cell: ({ name }) => <code>{name}</code> },
  {
    title: "May go to",
    cell: ({ hosts }) => (hosts.length > 0 ? hosts.join(", ") : "the hosts that a scraper visits"),
  },
  { title: "Set", cell: ({ set_at }) => <Time at={set_at} />, isMinor: true },
  {
    title: "Actions",
    cell: (secret) => (
      <div class="buttons">
        <Button
          class="small"
          needs="write"
          aria-label={`Replace ${secret.name}`}
          onClick={() => onOpen({ what: "replace", secret })}
        >
          Replace
        </Button>
        <Button
          class="small"
          kind="danger"
          needs="write"
          aria-label={`Remove ${secret.name}`}
          onClick={() => onOpen({ what: "remove", secret })}
        >
          Remove
        </Button>
      </div>
    ),
  },
];
