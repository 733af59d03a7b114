import type { Pagination } from "../../functions/contract/scrapers/scraper.ts";
import { forConsole } from "../format/advice.ts";
import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { isSame, NO_PAGES } from "./model/definition.ts";
import type { Proof } from "./model/findings.ts";
import type { Recorder } from "./model/recorder.ts";

const SCROLLING: Pagination = { type: "infinite_scroll" };

/**
 * The paginations to choose from: the current one, those that the inspection proposes, and scrolling. Each can be
 * tried.
 */
export function PaginationSection({ recorder }: { recorder: Recorder }) {
  const { value: definition } = recorder.definition;
  if (definition === undefined || recorder.list.value === undefined) return null;
  const { pagination = NO_PAGES } = definition;
  const proposals = recorder.look.value?.pagination ?? [];
  const proposed = proposals.map((each) => each.pagination);
  const nameFor = (way: Pagination) => proposals.find((each) => isSame(each.pagination, way))?.name;
  const ways = [pagination, ...proposed, SCROLLING].filter(
    (way, index, all) => way.type !== "none" && all.findIndex((other) => isSame(other, way)) === index,
  );
  // Proposals keep their order. The current pagination comes first if it is not among them; scrolling comes last.
  const ordered = ways.toSorted((a, b) => rankOf(a, proposed) - rankOf(b, proposed));
  return (
    <Section title="Pagination">
      <fieldset class="options">
        <legend class="visually-hidden">How Gleaner gets to the next rows</legend>
        {ordered.map((way) => (
          <Way
            key={JSON.stringify(way)}
            way={way}
            name={nameFor(way)}
            recorder={recorder}
            isTaken={isSame(way, pagination)}
          />
        ))}
        <label class="choice">
          <input
            type="radio"
            name="pages"
            checked={pagination.type === "none"}
            onChange={() => recorder.setPages(NO_PAGES)}
          />
          <span class="choice-text">Only this page</span>
        </label>
      </fieldset>
    </Section>
  );
}

const rankOf = (way: Pagination, proposed: readonly Pagination[]): number => {
  const rank = proposed.findIndex((each) => isSame(each, way));
  return rank === -1 ? (isSame(way, SCROLLING) ? 99 : -1) : rank;
};

interface WayProps {
  way: Pagination;
  /** The label of its control on the page. */
  name: string | undefined;
  recorder: Recorder;
  isTaken: boolean;
}

function Way({ way, name, recorder, isTaken }: WayProps) {
  const proof = recorder.proofs.value.get(JSON.stringify(way));
  const isBusy = recorder.checking.work.value !== undefined;
  return (
    <div class="choice-line">
      <label class="choice">
        <input
          type="radio"
          name="pages"
          checked={isTaken}
          onChange={() => (proof?.isProved ? recorder.setPages(way) : void recorder.tryPages(way))}
        />
        <span class="choice-text">
          {wayInWords(way, name)} <ProofWords proof={proof} />
        </span>
      </label>
      {proof === undefined && !(isTaken && isBusy) && (
        <Button class="small" disabled={isBusy} onClick={() => void recorder.tryPages(way)}>
          Try it
        </Button>
      )}
    </div>
  );
}

function ProofWords({ proof }: { proof: Proof | undefined }) {
  if (proof === undefined) return null;
  return proof.isProved ? (
    <span class="status good">{counted(proof.newRows, "new row")} on page 2</span>
  ) : (
    <span class="status warn wrap">{forConsole(proof.message ?? "")}</span>
  );
}

/** A short description of a pagination. `name` is the label of its control. */
export function wayInWords(way: Pagination, name?: string): string {
  switch (way.type) {
    case "none":
      return "Only this page";
    case "next_button":
      return `The next-page link ${nameOf(way, name)}`;
    case "load_more":
      return `The button ${nameOf(way, name)}, which adds rows`;
    case "infinite_scroll":
      return "Scrolling down";
    case "url_template":
      return `Numbered addresses: ${way.url}`;
  }
}

const nameOf = (
  { field_name, selector }: { field_name?: string | undefined; selector?: string | undefined },
  name = field_name,
) => (name === undefined ? (selector ?? "") : `“${name}”`);
