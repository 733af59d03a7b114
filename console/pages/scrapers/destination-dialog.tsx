import { useState } from "preact/hooks";
import type { Delivery } from "../../../functions/contract/scrapers/delivery.ts";
import { api } from "../../api/api.ts";
import { serviceFacts } from "../../api/service-facts.ts";
import { useLoad } from "../../api/use-load.ts";
import { Field, Select } from "../../ui/field.tsx";
import { FormDialog, useSending } from "../../ui/form-dialog.tsx";

interface Part {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  /** It is left out if it is empty. */
  isOptional?: boolean;
  isNumber?: boolean;
  options?: readonly string[];
}

const PATH_HINT = "Of the files; with “replace”, of the file, without its extension.";
const FORMAT: Part = { name: "format", label: "Format", options: ["csv", "jsonl", "xlsx"] };

/** What each type of destination is called, and its settings besides the mode and the secret. */
const TYPES: Record<Delivery["type"], { label: string; parts: Part[]; secret?: string }> = {
  folder: {
    label: "Folder on this machine",
    parts: [{ name: "path", label: "Path", placeholder: "shop/books", hint: PATH_HINT }, FORMAT],
  },
  s3: {
    label: "S3 bucket",
    parts: [
      { name: "bucket", label: "Bucket" },
      { name: "region", label: "Region", placeholder: "eu-central-1" },
      {
        ...{ name: "endpoint", label: "Endpoint", isOptional: true },
        ...{ placeholder: "https://storage.example.com", hint: "For another service than AWS." },
      },
      { name: "prefix", label: "Prefix", placeholder: "shop/books", hint: PATH_HINT },
      FORMAT,
    ],
    secret: "The id of an access key, a colon, and its secret access key.",
  },
  postgres: {
    label: "PostgreSQL table",
    parts: [
      { name: "host", label: "Host", placeholder: "db.example.com" },
      { name: "port", label: "Port", placeholder: "5432", isOptional: true, isNumber: true },
      { name: "database", label: "Database" },
      { name: "user", label: "User" },
      { name: "schema", label: "Schema", placeholder: "public", isOptional: true },
      { name: "table", label: "Table", hint: "It is made if it is missing." },
      { name: "tls", label: "TLS", options: ["verify-full", "require", "disable"] },
    ],
    secret: "The password of the user.",
  },
  google_sheets: {
    label: "Google Sheets",
    parts: [
      { name: "spreadsheet", label: "Spreadsheet", hint: "Its address, or its id." },
      { name: "sheet", label: "Sheet", hint: "The name of the tab. It is made if it is missing." },
    ],
    secret: "The JSON key of a service account with which the spreadsheet is shared.",
  },
};

const MODES = ["append", "replace", "upsert"];
const isFile = (type: Delivery["type"]) => type === "folder" || type === "s3";
const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

interface DestinationDialogProps {
  /** The destination to edit; undefined for a new one. */
  settings: Delivery | undefined;
  /** Its index among those of the scraper. */
  index: number;
  onClose: () => void;
  /** Stores and closes it. @throws ApiError */
  onStore: (settings: Delivery) => Promise<void>;
}

/** Adds or edits a destination. The service checks the settings. */
export function DestinationDialog({ settings, index, onClose, onStore }: DestinationDialogProps) {
  const [type, setType] = useState<Delivery["type"]>(settings?.type ?? "s3");
  const [values, setValues] = useState(
    Object.fromEntries(Object.entries(settings ?? {}).map(([name, value]) => [name, String(value)])),
  );
  const sending = useSending();
  const { parts, secret } = TYPES[type];
  const all: Part[] = [
    ...parts,
    { name: "mode", label: "Mode", options: isFile(type) ? MODES.slice(0, 2) : MODES },
    ...(secret === undefined ? [] : [{ name: "secret", label: "Secret", hint: secret }]),
  ];
  const textIn = ({ name, options }: Part) => {
    const value = values[name] ?? "";
    return options === undefined || options.includes(value) ? value : (options[0] as string);
  };
  const submit = () =>
    sending.submit(() => {
      const set = all.flatMap((part) => {
        const value = textIn(part).trim();
        if (value === "" && part.isOptional) return [];
        return [[part.name, part.isNumber ? Number(value) : idIn(value)]];
      });
      return onStore({ type, ...Object.fromEntries(set) } as Delivery);
    });
  const pathOf = (name: string) => `deliveries[${index}].${name}`;
  const wrong = (name: string) => sending.wrong(pathOf(name));
  return (
    <FormDialog
      title={settings === undefined ? "Add a destination" : "Edit the destination"}
      action="Save"
      sending={sending}
      shown={["type", ...all.map(({ name }) => name)].map(pathOf)}
      stays
      onClose={onClose}
      onSubmit={submit}
    >
      <Select
        label="Type"
        value={type}
        options={Object.entries(TYPES).map(([value, { label }]) => ({ value, label }))}
        onValue={(value) => setType(value as Delivery["type"])}
        error={wrong("type")}
        autofocus
      />
      {all.map((part) => {
        const { name, label, hint, options, placeholder } = part;
        const common = {
          ...{ label, hint, error: wrong(name), value: textIn(part) },
          onValue: (value: string) => setValues({ ...values, [name]: value }),
        };
        return options === undefined ? (
          <Field
            key={name}
            {...common}
            placeholder={placeholder ?? ""}
            autocomplete="off"
            spellcheck={false}
            {...(name === "secret" && { list: "secret-names" })}
          />
        ) : (
          <Select key={name} {...common} options={optionsOf(options)} />
        );
      })}
      {secret !== undefined && serviceFacts().setsSecrets && <SecretNames />}
    </FormDialog>
  );
}

/** The id of a spreadsheet in its address; any other text as it is. */
const idIn = (text: string) =>
  /^https:\/\/docs\.google\.com\/spreadsheets\/d\/([\w-]+)/.exec(text)?.[1] ?? text;

/** The names of the secrets, as proposals. */
function SecretNames() {
  const { data } = useLoad(api.listSecrets, []);
  return (
    <datalist id="secret-names">
      {data?.map(({ name }) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
