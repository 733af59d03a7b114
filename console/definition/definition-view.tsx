import { useErrorBoundary } from "preact/hooks";
import { DefinitionForm } from "./definition-form.tsx";
import { JsonView, type ViewProps } from "./json-view.tsx";

/** The views that edit a definition without its page. */
export const VIEWS = ["Form", "JSON"] as const;
export type View = (typeof VIEWS)[number];

/** A definition as a form or as JSON. Both are views of the same draft, on the page of a scraper and in the recorder. */
export function DefinitionView({ view, ...props }: ViewProps & { view: View }) {
  return view === "JSON" ? <JsonView {...props} /> : <FormIfPossible {...props} />;
}

/**
 * The form, or a message if it can't show the draft: valid JSON may have values of a wrong type, such as a list as
 * address.
 */
function FormIfPossible(props: ViewProps) {
  const [error] = useErrorBoundary();
  if (error === undefined) return <DefinitionForm {...props} />;
  return (
    <p class="notice warn" role="alert">
      The form can’t show this definition, because some values are of another kind than it expects. Correct
      them in the JSON.
    </p>
  );
}

/** Buttons that choose a view. */
export function Views<Name extends string>({
  views,
  current,
  onChoose,
  disabled = false,
}: {
  views: readonly Name[];
  current: Name;
  onChoose: (view: Name) => void;
  /** Whether no other view can be chosen. */
  disabled?: boolean;
}) {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">View</legend>
      {views.map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={view === current}
          disabled={disabled && view !== current}
          onClick={() => onChoose(view)}
        >
          {view}
        </button>
      ))}
    </fieldset>
  );
}
