import { api } from "../../api/api.ts";
import { StoredList } from "../../ui/stored-list.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

/** The secrets of the account, without their values. The service on one machine can add, replace and remove them. */
export const Secrets = () => (
  <StoredList
    kind="secret"
    lead={
      <>
        Passwords and keys for sites. Scrapers use them as <code>{"{{secret:name}}"}</code>. Nobody can read a
        value again.
      </>
    }
    load={api.listSecrets}
    nameOf={({ name }) => name}
    add="Add a secret"
    actions={["Replace"]}
    dialog={({ item }, { items, onClose, onDone }) => (
      <SecretDialog
        stored={item}
        taken={items.map(({ name }) => name)}
        onClose={onClose}
        onStored={(name) => onDone(`The secret ${name} is stored.`)}
      />
    )}
    removal={{
      verb: "Remove",
      consequence: "Its value can’t be restored. Runs of scrapers that use it fail from now on.",
      remove: ({ name }) => api.removeSecret(name),
    }}
  >
    {(secrets, buttonsOf) => (
      <Table
        caption="Secrets"
        items={secrets}
        keyOf={({ name }) => name}
        columns={[
          { title: "Name", cell: ({ name }) => <code>{name}</code> },
          {
            title: "May go to",
            cell: ({ hosts }) => (hosts.length > 0 ? hosts.join(", ") : "the hosts that a scraper visits"),
          },
          { title: "Set", cell: ({ set_at }) => <Time at={set_at} />, isMinor: true },
          { title: "Actions", cell: buttonsOf },
        ]}
      />
    )}
  </StoredList>
);
