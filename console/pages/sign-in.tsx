import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/api.ts";
import { hasStatus, messageOf } from "../api/api-error.ts";
import { answerOffer, apiKey, signedOutBecause, signIn } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

/** Asks for an API key in a modal dialog, while the open page stays behind it. */
export function SignInAgain() {
  const ref = useRef<HTMLDialogElement>(null);
  const show = () => ref.current?.showModal();
  useEffect(show, []);
  return (
    <dialog
      ref={ref}
      class="sign-in again"
      aria-label="Sign in"
      onCancel={(event) => event.preventDefault()}
      // A second Escape closes the dialog even though its cancel event is prevented, so it is shown again.
      onClose={show}
    >
      <SignIn />
    </dialog>
  );
}

/** Asks whether to sign in with the API key of a link. */
export function KeyOfLink() {
  const isSignedIn = apiKey.value !== null;
  return (
    <Dialog
      title={isSignedIn ? "Sign in with another key?" : "Sign in with the key of the link?"}
      onClose={() => answerOffer(false)}
      actions={
        <>
          <Button onClick={() => answerOffer(false)}>
            {isSignedIn ? "Stay signed in" : "Don’t sign in"}
          </Button>
          <Button kind={isSignedIn ? "danger" : "primary"} onClick={() => answerOffer(true)}>
            Use the key of the link
          </Button>
        </>
      }
    >
      <p>
        {isSignedIn
          ? "The link that you opened has another API key. If you use it, this tab changes to the account of that key, and"
          : "The link that you opened has an API key. If you use it,"}{" "}
        whoever has the key sees what you enter here. Use it only if you know where the link comes from, such
        as the terminal in which you started Gleaner.
      </p>
    </Dialog>
  );
}

/** The sign-in form. It signs in with an API key only after the service has accepted it. */
export function SignIn() {
  const [key, setKey] = useState("");
  const [state, setState] = useState<{ isBusy: boolean; error?: string }>({ isBusy: false });
  useEffect(() => {
    const before = document.title;
    document.title = TITLE;
    return () => {
      // The page behind the dialog may have set another title meanwhile.
      if (document.title === TITLE) document.title = before;
    };
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const typed = key.trim();
    if (typed === "") return setState({ isBusy: false, error: "Enter an API key." });
    // A header can't contain other characters.
    if (!/^[!-~]+$/.test(typed)) return setState({ isBusy: false, error: WRONG });
    setState({ isBusy: true });
    try {
      const { id } = await api.account(undefined, typed);
      signIn(typed, id);
    } catch (error) {
      setState({ isBusy: false, error: hasStatus(error, 401) ? WRONG : messageOf(error) });
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <p class="brand">
        <span class="brand-mark" aria-hidden="true" />
        Gleaner
      </p>
      <h1>Sign in</h1>
      {signedOutBecause.value !== null && (
        <p class="notice warn" role="alert">
          {signedOutBecause.value}
        </p>
      )}
      <Field
        label="API key"
        type="password"
        name="key"
        placeholder="glr_…"
        autocomplete="off"
        spellcheck={false}
        value={key}
        onValue={setKey}
        error={state.error}
        hint="The browser keeps the key until you close all tabs of this console."
      />
      <Button kind="primary" type="submit" busy={state.isBusy}>
        Sign in
      </Button>
      <details>
        <summary>Where do I find a key?</summary>
        <p>
          On your own machine, <code>npm start</code> prints a link that signs you in. The key is also in{" "}
          <code>.gleaner/credentials.json</code>. <code>npx gleaner key create --account default</code> makes
          another one.
        </p>
        <p>Elsewhere, ask whoever runs the service.</p>
      </details>
    </form>
  );
}

const TITLE = "Sign in · Gleaner";
const WRONG = "The service does not accept this key. It may be mistyped, expired or revoked.";
