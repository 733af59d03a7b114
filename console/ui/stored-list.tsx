import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useLoad } from "../api/use-load.ts";
import { Button } from "./button.tsx";
import { Confirm } from "./confirm.tsx";
import { Section } from "./page.tsx";
import { Empty, ErrorState, Loading } from "./states.tsx";
import { toast } from "./toast.tsx";

/** What a dialog of a list can do. */
interface DialogProps<T> {
  items: readonly T[];
  onClose: () => void;
  /** Closes the dialog, says what has happened, and loads the list again. */
  onDone: (news?: string) => void;
}

interface StoredListProps<T> {
  /** What the items are, such as "secret". The plural has an s. */
  kind: string;
  lead: ComponentChildren;
  /** Shown below the lead. */
  below?: ComponentChildren;
  load: (signal: AbortSignal) => Promise<T[]>;
  /** Whether to load again soon, because items may change by themselves. */
  isLive?: (items: readonly T[]) => boolean;
  /** The name of an item after `kind`, such as "shop_password". */
  nameOf: (item: T) => string;
  /** The label of the button that makes a new item; absent if the console can't. */
  add?: string | undefined;
  /** The labels of the buttons of an item. */
  actions?: readonly string[];
  /** Opened by `add`, without an item, and by `actions`. */
  dialog?: (open: { action: string; item: T | undefined }, props: DialogProps<T>) => ComponentChildren;
  /** The last button of an item deletes it, after a question. */
  removal: { verb: "Delete" | "Remove"; consequence: string; remove: (item: T) => Promise<unknown> };
  /** Shows the items, if there are some, with the buttons of each. `reload`: after the items have changed. */
  children: (
    items: readonly T[],
    buttonsOf: (item: T) => ComponentChildren,
    reload: () => Promise<void>,
  ) => ComponentChildren;
}

/** A section with what the account has of a kind. */
export function StoredList<T>(props: StoredListProps<T>) {
  const { kind, lead, below, load, isLive, nameOf, add, actions = [], dialog, removal, children } = props;
  const { data, error, reload } = useLoad(load, [], isLive);
  const [open, setOpen] = useState<{ action: string; item: T | undefined }>();
  const onClose = () => setOpen(undefined);
  const onDone = (news?: string) => {
    onClose();
    if (news !== undefined) toast(news);
    void reload();
  };
  const buttonsOf = (item: T) => (
    <div class="buttons">
      {[...actions, removal.verb].map((action) => (
        <Button
          key={action}
          class="small"
          kind={action === removal.verb ? "danger" : undefined}
          needs="write"
          aria-label={`${action} the ${kind} ${nameOf(item)}`}
          onClick={() => setOpen({ action, item })}
        >
          {action}
        </Button>
      ))}
    </div>
  );
  return (
    <Section
      title={`${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`}
      aside={
        add !== undefined && (
          <Button class="small" needs="write" onClick={() => setOpen({ action: add, item: undefined })}>
            {add}
          </Button>
        )
      }
    >
      <p class="lead">{lead}</p>
      {below}
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what={`the ${kind}s`} lines={2} />}
      {data?.length === 0 && <Empty title={`No ${kind}s yet`} />}
      {data !== undefined && data.length > 0 && children(data, buttonsOf, reload)}
      {open !== undefined &&
        (open.item !== undefined && open.action === removal.verb ? (
          <Removal item={open.item} name={`${kind} ${nameOf(open.item)}`} {...{ removal, onClose, onDone }} />
        ) : (
          dialog?.(open, { items: data ?? [], onClose, onDone })
        ))}
    </Section>
  );
}

interface RemovalProps<T> extends Omit<DialogProps<T>, "items"> {
  item: T;
  name: string;
  removal: StoredListProps<T>["removal"];
}

function Removal<T>({ item, name, removal, onClose, onDone }: RemovalProps<T>) {
  const { verb, consequence, remove } = removal;
  return (
    <Confirm
      title={`${verb} the ${name}?`}
      action={verb}
      onClose={onClose}
      onConfirm={async () => {
        await remove(item);
        onDone(`The ${name} is ${verb.toLowerCase()}d.`);
      }}
    >
      <p>{consequence}</p>
    </Confirm>
  );
}
