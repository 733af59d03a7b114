import { useState } from "preact/hooks";
import { api } from "../../api/api.ts";
import { hasStatus } from "../../api/api-error.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog, useSending } from "../../ui/form-dialog.tsx";

interface SignInDialogProps {
  onClose: () => void;
  onStored: (name: string) => void;
}

/** Opens a window in which the person signs in to a site, and stores its cookies as a session. */
export function SignInDialog({ onClose, onStored }: SignInDialogProps) {
  const [entered, setEntered] = useState({ name: "", url: "" });
  const [isOpen, setOpen] = useState(false);
  const sending = useSending();
  const { isBusy, wrong } = sending;
  const name = entered.name.trim();
  const submit = () =>
    sending.submit(async () => {
      if (isOpen) {
        await api.storeWindow(name).catch((error) => {
          if (hasStatus(error, 404)) setOpen(false);
          throw error;
        });
        onStored(name);
      } else {
        await api.openWindow(name, entered.url.trim());
        setOpen(true);
      }
    });
  const cancel = () => {
    // The service closes it with the next one, or when it stops, if this fails.
    if (isOpen || isBusy) api.closeWindow(name).catch(() => {});
    onClose();
  };
  return (
    <FormDialog
      title="Sign in to a site"
      action={isOpen ? "Done" : "Open the window"}
      sending={sending}
      shown={["name", "url"]}
      stays={isOpen || isBusy}
      onClose={cancel}
      onSubmit={submit}
    >
      {isOpen ? (
        <p role="status">
          Finish in the browser window, then press <b>Done</b>. The cookies of the window become the session{" "}
          <code>{name}</code>, and it closes.
        </p>
      ) : (
        <>
          <Field
            label="Name"
            value={entered.name}
            onValue={(name) => setEntered({ ...entered, name })}
            autocomplete="off"
            spellcheck={false}
            autofocus
            error={wrong("name")}
            hint="Scrapers use the session by this name: letters, digits, _ and -. A session of that name is replaced."
          />
          <Field
            label="Address"
            value={entered.url}
            onValue={(url) => setEntered({ ...entered, url })}
            placeholder="https://shop.example/login"
            autocomplete="off"
            spellcheck={false}
            error={wrong("url")}
            hint="The page on which you sign in. It opens in Google Chrome on this computer, with a new profile."
          />
        </>
      )}
    </FormDialog>
  );
}
