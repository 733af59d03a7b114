import { useState } from "preact/hooks";
import { api, type SecretEntry } from "../../api/api.ts";
import { Field, TextArea } from "../../ui/field.tsx";
import { FormDialog, useSending } from "../../ui/form-dialog.tsx";

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
  const sending = useSending();
  const isTaken = stored === undefined && taken.includes(name.trim());
  const submit = async () => {
    if (isTaken) return;
    await sending.submit(async () => {
      await api.putSecret(name.trim(), { value, hosts: hosts.split(/[\s,]+/).filter(Boolean) });
      onStored(name.trim());
    });
  };
  const { wrong } = sending;
  return (
    <FormDialog
      title={stored === undefined ? "Add a secret" : `Replace the secret ${stored.name}`}
      action={stored === undefined ? "Add" : "Replace"}
      sending={sending}
      shown={["name", "value", "", "hosts"]}
      onClose={onClose}
      onSubmit={submit}
    >
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
        error={wrong("value") ?? wrong("")}
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
    </FormDialog>
  );
}
