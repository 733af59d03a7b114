import type { Inspection } from "../api/api.ts";
import { forConsole } from "../format/advice.ts";
import { Button } from "../ui/button.tsx";
import { isProxyOffered } from "../ui/proxy-select.tsx";
import { ErrorState, Notice, useInSight } from "../ui/states.tsx";
import { isSame, NO_PAGES } from "./model/definition.ts";
import type { Recorder } from "./model/recorder.ts";
import { SessionFields } from "./session-fields.tsx";

type Proxy = "datacenter" | "residential";

/** Whether the site may have blocked the request, so that a proxy may help. */
const isBlocked = ({ code, message }: NonNullable<Inspection["error"]>): boolean =>
  code === "navigation_failed" || (code === "http_error" && /HTTP (?:401|403|429|503)/.test(message));

/** The errors and warnings about the page and its rows, with buttons for what the user can do. */
export function Notices({ recorder, failedStep }: { recorder: Recorder; failedStep: number | undefined }) {
  const { value: look } = recorder.look;
  const { value: check } = recorder.check;
  const failure = recorder.looking.error.value;
  if (failure !== undefined) return <ErrorState error={failure} retry={() => recorder.again()} />;
  return (
    <>
      {look?.error != null && <Failure recorder={recorder} error={look.error} />}
      {failedStep !== undefined && check?.inspection.ok && !recorder.isBusy.value && (
        <Notice tone="info" title={`Step ${failedStep + 1} works now`}>
          <p>It failed in a run, but it works now. The page may have been slow or unavailable.</p>
        </Notice>
      )}
      {look?.warnings
        // The picture itself says so.
        .filter(({ code }) => !code.startsWith("screenshot_"))
        .map(({ code, message }) => (
          <Notice key={code + message} tone="warn" title={TITLES[code] ?? "Please check"}>
            <p>{forConsole(message)}</p>
            {code === "visit_refused" && <ProxyOffer recorder={recorder} />}
            {code === "sign_in_required" && <SessionFields recorder={recorder} />}
            {(code === "no_list" || code === "no_main_list") && (
              <p>Point at the same thing in two rows of the picture, such as their titles.</p>
            )}
          </Notice>
        ))}
      <CheckNotices recorder={recorder} check={check?.inspection} />
      {recorder.checking.error.value !== undefined && (
        <ErrorState error={recorder.checking.error.value} retry={() => recorder.again()} />
      )}
    </>
  );
}

const OF_PAGES = new Set(["rows_repeated", "pagination_control_missing", "pagination_guessed"]);

const TITLES: Record<string, string> = {
  no_list: "No list was found",
  no_main_list: "No main list was found",
  sign_in_required: "The page asks to sign in",
  visit_refused: "The page refuses the visit",
  content_in_frame: "The content is in a frame",
  page_too_large: "A very large page",
  answer_too_large: "The response is too large",
};

function Failure({ recorder, error }: { recorder: Recorder; error: NonNullable<Inspection["error"]> }) {
  const ref = useInSight<HTMLDivElement>(error);
  const where = error.step === null ? "The page could not be read" : `Step ${error.step + 1} failed`;
  return (
    <div ref={ref} role="alert">
      <Notice tone="bad" title={error.step === 0 ? "The page could not be opened" : where}>
        <p>{forConsole(error.message)}</p>
        {isBlocked(error) && <ProxyOffer recorder={recorder} />}
        <div class="buttons">
          <Button onClick={() => recorder.again()}>Try again</Button>
          {recorder.canUndo.value && <Button onClick={() => recorder.undo()}>Undo the last change</Button>}
        </div>
      </Notice>
    </div>
  );
}

function ProxyOffer({ recorder }: { recorder: Recorder }) {
  const { value: definition } = recorder.definition;
  if (definition === undefined) return null;
  const { type: current = "none" } = definition.proxy ?? {};
  const offers: { type: Proxy; title: string }[] = [
    { type: "datacenter", title: "Try through a datacenter proxy" },
    { type: "residential", title: "Try through a residential proxy (10 credits a page)" },
  ];
  return (
    <div class="buttons">
      {offers
        .filter(({ type }) => type !== current && isProxyOffered(type))
        .map(({ type, title }) => (
          <Button key={type} onClick={() => recorder.change({ ...definition, proxy: { type } })}>
            {title}
          </Button>
        ))}
    </div>
  );
}

/** The errors and warnings about the rows. Those of a failed pagination are shown in the pagination section instead. */
function CheckNotices({ recorder, check }: { recorder: Recorder; check: Inspection | undefined }) {
  if (check === undefined) return null;
  const { error, warnings } = check;
  // If only one page is read, warnings about further pages don't matter.
  const isOnePage = (recorder.definition.value?.pagination ?? NO_PAGES).type === "none";
  const isOfPages =
    error?.code.startsWith("pagination") ||
    [...recorder.proofs.value.values()].some(({ message }) => message === error?.message);
  return (
    <>
      {error !== null && !isOfPages && (
        <Notice tone="bad" title="The rows could not be read">
          <p>{forConsole(error.message)}</p>
          {recorder.lists.value.length > 0 && recorder.chosen.value === -1 && (
            <p>Choose the list again: the numbers on the picture are the lists that the page has now.</p>
          )}
        </Notice>
      )}
      {warnings
        .filter(({ code }) => !isOnePage || !OF_PAGES.has(code))
        .filter((warning, index) => warnings.findIndex((other) => isSame(other, warning)) === index)
        .filter(
          ({ field }) =>
            field === undefined || recorder.list.value?.fields.some(({ name }) => name === field),
        )
        .map(({ code, message }) => (
          <Notice key={code + message} tone="warn" title="Please check the rows">
            <p>{forConsole(message)}</p>
          </Notice>
        ))}
    </>
  );
}
