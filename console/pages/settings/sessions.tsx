import { api } from "../../api/api.ts";
import { serviceFacts } from "../../api/service-facts.ts";
import { userCommand } from "../../format/command.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { StoredList } from "../../ui/stored-list.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { SignInDialog } from "./sign-in-dialog.tsx";

/**
 * The kept sign-ins of the account, without their cookies. They can be deleted. A service on the computer of the person
 * opens a window to sign in. For the other ones, there is a command.
 */
export const Sessions = () => (
  <StoredList
    kind="session"
    lead={
      <>
        Sign-ins that scrapers keep from run to run. To sign in by hand,{" "}
        {serviceFacts().opensWindows && "choose “Sign in…”, or "}
        run this in a terminal on a computer with a screen, with a name and an address of yours:
      </>
    }
    below={
      <CommandLine
        command={userCommand("npx gleaner session sign-in shop https://shop.example/login", location)}
        what="the command to sign in"
      />
    }
    load={api.listSessions}
    nameOf={({ name }) => name}
    add={serviceFacts().opensWindows ? "Sign in…" : undefined}
    dialog={(_, { onClose, onDone }) => (
      <SignInDialog onClose={onClose} onStored={(name) => onDone(`The session ${name} is stored.`)} />
    )}
    removal={{
      verb: "Delete",
      consequence:
        "Its cookies can’t be restored. Later runs of scrapers that use it sign in anew, or fail if they can’t.",
      remove: ({ name }) => api.deleteSession(name),
    }}
  >
    {(sessions, buttonsOf) => (
      <Table
        caption="Sessions"
        items={sessions}
        keyOf={({ name }) => name}
        columns={[
          { title: "Name", cell: ({ name }) => <code>{name}</code> },
          { title: "Hosts", cell: ({ hosts }) => hosts.join(", ") },
          { title: "Saved", cell: ({ saved_at }) => <Time at={saved_at} />, isMinor: true },
          { title: "Actions", cell: buttonsOf },
        ]}
      />
    )}
  </StoredList>
);
