import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../api/api.ts";
import { hasStatus, messageOf } from "../api/api-error.ts";
import { signedOutBecause, signIn } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";

/** Asks for an API key, in front of everything else, and goes on with what is behind it. */
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
      // The browser closes a dialog at the second Escape whatever the page says.
      onClose={show}
    >
      <SignIn />
    </dialog>
  );
}

/** Asks for an API key, and takes it only if the service does. */
export function SignIn() {
  const [key, setKey] = useState("");
  const [state, setState] = useState<{ isBusy: boolean; error?: string }>({ isBusy: false });
  useEffect(() => {
    const before = document.title;
    document.title = "Sign in · Gleaner";
    return () => {
      document.title = before;
    };
  }, []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const typed = key.trim();
    if (typed === "") return setState({ isBusy: false, error: "Enter an API key." });
    // Anything else could not even be sent in a header.
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
        hint="It stays in the tabs of this console, and ends with them."
      />
      <Button kind="primary" type="submit" busy={state.isBusy}>
        Sign in
      </Button>
      <details>
        <summary>Where do I find a key?</summary>
        <p>
          On your own machine, <code>npm start</code> prints a link that signs you in. The key is also in{" "}
          <code>.gleaner/credentials.json</code>. <code>npx gleaner key create</code> makes another one.
        </p>
        <p>Elsewhere, ask whoever runs the service.</p>
      </details>
    </form>
  );
}

const WRONG = "The service does not accept this key. It may be mistyped, revoked or expired.";
