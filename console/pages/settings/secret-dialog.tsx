import { useState } from "preact/hooks";
import { api, type SecretEntry } from "../../api/api.ts";
import { problemAt } from "../../api/api-error.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { Problems } from "../../ui/states.tsx";

interface SecretDialogProps {
  /** The secret to replace; undefined for a new one. */
  stored: SecretEntry | undefined;
  /** The names of all secrets. A new secret must have another one. */
  taken: readonly string[];
  onClose: () => void;
  onStored: (name: string) => void;
}

/** Sets a secret. The hosts are stored with the value, so both are entered together. */
export function SecretDialog({ stored, taken, onClose, onStored }: SecretDialogProps) {
  const [name, setName] = useState(stored?.name ?? "");
  const [value, setValue] = useState("");
  const [hosts, setHosts] = useState(stored?.hosts.join("\n") ?? "");
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const isTaken = stored === undefined && taken.includes(name.trim());
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isTaken || state.isBusy) return;
    setState({ isBusy: true });
    try {
      await api.putSecret(name.trim(), { value, hosts: hosts.split(/[\s,]+/).filter(Boolean) });
      onStored(name.trim());
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  const wrong = (path: string) => problemAt(state.error, path);
  const wrongValue = wrong("value") ?? wrong("");
  const isPlaced = wrong("name") ?? wrongValue ?? wrong("hosts");
  return (
    <Dialog
      title={stored === undefined ? "Add a secret" : `Replace the secret ${stored.name}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="secret" busy={state.isBusy}>
            {stored === undefined ? "Add" : "Replace"}
          </Button>
        </>
      }
    >
      <form id="secret" class="stack" onSubmit={submit} noValidate>
        {stored === undefined && (
          <Field
            label="Name"
            value={name}
            onValue={setName}
            autocomplete="off"
            spellcheck={false}
            autofocus
            error={isTaken ? "There is a secret with this name. Replace it in the list." : wrong("name")}
            hint="Letters, digits, _ and -, such as shop_password."
          />
        )}
        <Field
          label="Value"
          type="password"
          value={value}
          onValue={setValue}
          autocomplete="new-password"
          autofocus={stored !== undefined}
          error={wrongValue}
          hint="At least 4 characters. It is encrypted, and never shown again."
        />
        <TextArea
          label="Hosts that may get it"
          class="short"
          value={hosts}
          onValue={setHosts}
          error={wrong("hosts")}
          hint="One on each line, such as shop.example. Name them: without hosts, it may go to every host that a scraper visits, and the recorder does not use it."
        />
        {isPlaced === undefined && <Problems error={state.error} />}
      </form>
    </Dialog>
  );
}
