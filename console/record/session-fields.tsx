import { useState } from "preact/hooks";
import { api, type Definition } from "../api/api.ts";
import { useLoad } from "../api/use-load.ts";
import { Button } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import type { Recorder } from "./model/recorder.ts";

type Session = NonNullable<Definition["session"]>;

/** Chooses the kept sign-in that the page is opened with. Shows nothing if the account has none. */
export function SessionFields({ recorder }: { recorder: Recorder }) {
  const { data: stored = [] } = useLoad(api.listSessions, []);
  const { value: definition } = recorder.definition;
  if (definition === undefined) return null;
  const { session, ...rest } = definition;
  const names = [...new Set([...(session ? [session.name] : []), ...stored.map(({ name }) => name)])];
  if (names.length === 0) return null;
  return (
    <>
      <Select
        label="Sign-in"
        value={session?.name ?? ""}
        options={[{ value: "", label: "None" }, ...names.map((name) => ({ value: name, label: name }))]}
        onValue={(name) => recorder.signIn(name === "" ? undefined : { name, check: { text: "" } })}
        hint="A sign-in that is kept from run to run."
      />
      {session && !recorder.isBusy.value && (
        <CheckField
          key={JSON.stringify(session)}
          session={session}
          onValue={(changed) => recorder.change({ ...rest, session: changed })}
        />
      )}
    </>
  );
}

interface CheckFieldProps {
  session: Session;
  onValue: (session: Session) => void;
}

/** What only a signed-in visitor sees. A change opens the page again, so it is applied by a button. */
function CheckField({ session, onValue }: CheckFieldProps) {
  const { check } = session;
  const part = check.selector === undefined ? "text" : "selector";
  const [typed, setTyped] = useState(check[part] ?? "");
  const apply = () => onValue({ ...session, check: { [part]: typed } });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Field
        label={
          part === "text"
            ? "Text that only a signed-in visitor sees"
            : "Selector of what only a signed-in visitor sees"
        }
        placeholder="Sign out"
        value={typed}
        error={
          check[part] === ""
            ? "The page shows no control that signs out. Enter what tells that you are signed in."
            : undefined
        }
        onValue={setTyped}
      />
      {typed !== "" && typed !== check[part] && <Button type="submit">Check it</Button>}
    </form>
  );
}
