import type { Definition } from "../api/api.ts";
import { Checkbox, Field } from "../ui/field.tsx";
import { Section } from "../ui/page.tsx";
import { ProxySelect } from "../ui/proxy-select.tsx";
import { OwnInputs } from "./own-inputs.tsx";
import { PaginationFields } from "./pagination-fields.tsx";
import { StepList } from "./step-list.tsx";

export interface DefinitionFormProps {
  definition: Definition;
  onValue: (definition: Definition) => void;
}

/**
 * A form for the most common settings of a definition. The other settings stay unchanged; only the JSON view has them.
 */
export function DefinitionForm({ definition, onValue }: DefinitionFormProps) {
  const { name, rows_limit, steps } = definition;
  const change = (values: Partial<Definition>) => onValue({ ...definition, ...values });
  const limit = (value: string) => {
    const { rows_limit: _, ...rest } = definition;
    onValue(value === "" ? rest : { ...rest, rows_limit: Number(value) });
  };
  return (
    <div class="stack">
      <div class="field-row">
        <Field label="Name" value={name} onValue={(value) => change({ name: value })} />
        <Field
          label="Maximum rows"
          type="number"
          min={1}
          max={1_000_000}
          inputMode="numeric"
          value={rows_limit === undefined ? "" : String(rows_limit)}
          onValue={limit}
        />
      </div>
      <Section title="Steps">
        <StepList steps={steps} onValue={(changed) => change({ steps: changed })} />
      </Section>
      <Section title="More pages of the list">
        <PaginationFields
          pagination={definition.pagination ?? { type: "none" }}
          onValue={(pagination) => change({ pagination })}
        />
      </Section>
      <OwnInputs definition={definition} onValue={onValue} />
      <Section title="Browser">
        <Browsing definition={definition} onValue={onValue} />
      </Section>
    </div>
  );
}

function Browsing({ definition, onValue }: DefinitionFormProps) {
  const { proxy = { type: "none" as const }, user_agent, load_images, respect_robots, ...rest } = definition;
  const browsing = { proxy, user_agent, load_images, respect_robots };
  /** Changes some settings. A setting that is undefined is left out of the definition. */
  const change = (values: Partial<typeof browsing>) => {
    const set = Object.entries({ ...browsing, ...values }).filter(([, value]) => value !== undefined);
    onValue({ ...rest, ...Object.fromEntries(set) } as Definition);
  };
  return (
    <div class="card stack">
      <div class="field-row">
        <ProxySelect type={proxy.type} onType={(type) => change({ proxy: { ...proxy, type } })} />
        {proxy.type !== "none" && (
          <Field
            label="Country of the proxy"
            placeholder="Any"
            value={proxy.country ?? ""}
            onValue={(country) => change({ proxy: { type: proxy.type, ...(country !== "" && { country }) } })}
          />
        )}
      </div>
      <Field
        label="User agent"
        placeholder="The default of the service"
        spellcheck={false}
        value={user_agent ?? ""}
        onValue={(value) => change({ user_agent: value === "" ? undefined : value })}
      />
      <Checkbox
        label="Load images, fonts and media"
        checked={load_images === true}
        onValue={(checked) => change({ load_images: checked || undefined })}
      />
      <Checkbox
        label="Follow robots.txt for the addresses in steps, too"
        checked={respect_robots === true}
        onValue={(checked) => change({ respect_robots: checked || undefined })}
      />
    </div>
  );
}
