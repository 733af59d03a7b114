import { useState } from "preact/hooks";
import { api } from "../../api/api.ts";
import { hasStatus, problemAt } from "../../api/api-error.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Problems } from "../../ui/states.tsx";

interface SignInDialogProps {
  onClose: () => void;
  onStored: (name: string) => void;
}

/** Opens a window in which the person signs in to a site, and stores its cookies as a session. */
export function SignInDialog({ onClose, onStored }: SignInDialogProps) {
  const [entered, setEntered] = useState({ name: "", url: "" });
  const [state, setState] = useState<{ isBusy: boolean; isOpen: boolean; error?: unknown }>({
    ...{ isBusy: false, isOpen: false },
  });
  const { isBusy, isOpen, error } = state;
  const name = entered.name.trim();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setState({ isBusy: true, isOpen });
    try {
      if (isOpen) {
        await api.storeWindow(name);
        onStored(name);
      } else {
        await api.openWindow(name, entered.url.trim());
        setState({ isBusy: false, isOpen: true });
      }
    } catch (error) {
      setState({ isBusy: false, isOpen: isOpen && !hasStatus(error, 404), error });
    }
  };
  const cancel = () => {
    // The service closes it with the next one, or when it stops, if this fails.
    if (isOpen || isBusy) api.closeWindow(name).catch(() => {});
    onClose();
  };
  const wrong = (path: string) => problemAt(error, path);
  return (
    <Dialog
      title="Sign in to a site"
      stays={isOpen || isBusy}
      onClose={cancel}
      actions={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button kind="primary" type="submit" form="site" busy={isBusy}>
            {isOpen ? "Done" : "Open the window"}
          </Button>
        </>
      }
    >
      <form id="site" class="stack" onSubmit={submit} noValidate>
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
        {(wrong("name") ?? wrong("url")) === undefined && <Problems error={error} />}
      </form>
    </Dialog>
  );
}
