import { useEffect, useState } from "preact/hooks";
import { statusWord, statusWords } from "../../../functions/contract/runs/status-words.ts";
import { api, type Run } from "../../api/api.ts";
import { forConsole } from "../../format/advice.ts";
import { stepInWords } from "../../format/steps.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/states.tsx";

/** Shows why a run failed, at which step, and a screenshot of the page. */
export function Failure({ run }: { run: Run }) {
  const { error } = run;
  if (error === null || statusWord(run) !== statusWords.failed) return null;
  const step = error.step === null ? undefined : run.steps[error.step];
  return (
    <Notice
      tone="bad"
      title={error.step === null ? "The run failed" : `The run failed at step ${error.step + 1}`}
    >
      <div class="failure">
        <div class="stack">
          <p class="failure-message">{forConsole(error.message)}</p>
          {step !== undefined && <p class="soft">{stepInWords(step)}</p>}
          <div class="buttons">
            <ButtonLink
              href={`/record?scraper=${run.scraper_id}${error.step === null ? "" : `&step=${error.step}`}`}
            >
              {error.step === null ? "Open in the recorder" : "Open in the recorder at this step"}
            </ButtonLink>
          </div>
          <p class="hint">
            Code <code>{error.code}</code>
          </p>
        </div>
        <Screenshot run={run} />
      </div>
    </Notice>
  );
}

/** The screenshot of the page. It is fetched by script, because a plain image can't send the API key. */
function Screenshot({ run }: { run: Run }) {
  const [url, setUrl] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    let made: string | undefined;
    api.screenshot(run.id, controller.signal).then(
      (picture) => {
        made = URL.createObjectURL(picture);
        setUrl(made);
      },
      // Many failed runs have no screenshot, such as those that failed before a page was open.
      () => setUrl(undefined),
    );
    return () => {
      controller.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [run.id]);
  if (url === undefined) return null;
  return (
    <>
      <button type="button" class="screenshot" onClick={() => setOpen(true)}>
        <img src={url} alt="What the page looked like when the run failed" />
      </button>
      {isOpen && (
        <Dialog title="When the run failed" isWide onClose={() => setOpen(false)}>
          <img class="screenshot-full" src={url} alt="What the page looked like when the run failed" />
        </Dialog>
      )}
    </>
  );
}

/** The warnings of a run: what may be wrong with its rows. */
export function Warnings({ run: { warnings, steps } }: { run: Run }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn" title="Check these rows">
      <ul>
        {warnings.map(({ code, message, step, field }) => (
          <li key={`${code} ${step} ${field}`}>
            {forConsole(message)}
            {step !== null && steps[step] !== undefined && (
              <span class="soft">
                {" "}
                Step {step + 1}: {stepInWords(steps[step])}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
