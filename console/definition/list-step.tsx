import type { StepOf } from "../../functions/contract/steps/steps.ts";
import { Select } from "../ui/field.tsx";
import { ListFields } from "./list-fields.tsx";

type ListStep = StepOf<"get_list">;

/** Edits what a get_list step reads: from its rows, and from the page of each row. Either may have one list. */
export function ListStepFields({ step, onValue }: { step: ListStep; onValue: (step: ListStep) => void }) {
  const { fields = [], details, ...rest } = step;
  const hasList = [...fields, ...(details?.fields ?? [])].some(({ list }) => list !== undefined);
  const setDetails = (url_field: string) =>
    onValue({
      ...rest,
      fields,
      ...(url_field !== "" && { details: { fields: [{ name: "detail" }], ...details, url_field } }),
    });
  return (
    <>
      <ListFields
        fields={fields}
        onValue={(changed) => onValue({ ...step, fields: changed })}
        mayHaveList={!hasList}
      />
      <Select
        label="Open the page of each row"
        value={details?.url_field ?? ""}
        options={[
          { value: "", label: "No" },
          ...fields
            .filter(({ list }) => list === undefined)
            .map(({ name }) => ({ value: name, label: `Yes, its address is in ${name}` })),
        ]}
        onValue={setDetails}
        hint="Each page costs a credit. A list on that page gives further rows, with the fields of the row."
      />
      {details !== undefined && (
        <ListFields
          fields={details.fields}
          onValue={(changed) => onValue({ ...step, details: { ...details, fields: changed } })}
          of=" of the row’s page"
          selectorLabel="Selector on the page"
          mayHaveList={!hasList}
        />
      )}
    </>
  );
}
