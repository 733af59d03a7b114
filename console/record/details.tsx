import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { isWebAddress } from "../ui/safe-link.tsx";
import { addressFieldOf, keyOf } from "./model/definition.ts";
import type { Recorder } from "./model/recorder.ts";

/** Lets the user pick values that are on the detail page of each row. */
export function Details({ recorder }: { recorder: Recorder }) {
  const { value: list } = recorder.list;
  const { value: check } = recorder.check;
  const field = list && addressFieldOf(list);
  if (list === undefined || field === undefined) return null;
  const name = check?.list.fields.find((each) => keyOf(each) === keyOf(field))?.name ?? field.name;
  const address = check?.inspection.rows?.map((row) => row[name] ?? "").find(isWebAddress);
  const count = list.details?.fields.length ?? 0;
  return (
    <Section
      title="Each row’s page"
      aside={
        <Button
          class="small"
          disabled={address === undefined || recorder.detail.value !== undefined}
          onClick={() => address !== undefined && void recorder.openDetail(address)}
        >
          {count === 0 ? "Pick values there…" : "Pick more values…"}
        </Button>
      }
    >
      <p class="soft small">
        {count === 0
          ? `Not opened. The column ${field.name} has its address.`
          : `Opened for each row, by the column ${list.details?.url_field}. The rows above show the first three.`}
      </p>
    </Section>
  );
}
