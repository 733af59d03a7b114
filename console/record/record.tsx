import { useEffect, useMemo, useState } from "preact/hooks";
import { api, type TaggedScraper } from "../api/api.ts";
import { takeDraft } from "../definition/draft.ts";
import { Example } from "../pages/home/example.tsx";
import { definitionOf } from "../pages/scrapers/use-store.ts";
import { guardPage, place, setQuery } from "../router/router.ts";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { AddressBar } from "./address-bar.tsx";
import { Dialogs } from "./dialogs.tsx";
import { isSame } from "./model/definition.ts";
import { Pointing } from "./model/pointing.ts";
import { Recorder } from "./model/recorder.ts";
import { Panel } from "./panel.tsx";
import { PicturePane } from "./picture-pane.tsx";
import { SaveBar } from "./save-bar.tsx";
import { Steps } from "./steps.tsx";

/**
 * The recorder page. It creates a scraper from the address of a page, or edits a stored scraper. Both open pages. If the
 * user did not come here within the console, the recorder asks first.
 */
export function Record() {
  const [asked, setAsked] = useState(place.value);
  if (asked.isOwn || (asked.query.get("scraper") ?? asked.query.get("url")) === null)
    return <Recording asked={asked.query} />;
  const accept = () => {
    // The address is the user's own from now on, also after a reload.
    setQuery({});
    setAsked(place.value);
  };
  return <OpenedByLink query={asked.query} onAccept={accept} />;
}

/** Asks whether to open what an address from outside of the console names. */
function OpenedByLink({ query, onAccept }: { query: URLSearchParams; onAccept: () => void }) {
  const id = query.get("scraper");
  return (
    <Page title="Open this page?" parent={{ title: "Scrapers", href: "/scrapers" }}>
      <div class="lead stack">
        <p>
          A link or a bookmark leads to the recorder, with{" "}
          {id === null ? "this address:" : "the scraper that has this id:"}
        </p>
        <p>
          <code>{id ?? query.get("url")}</code>
        </p>
        <p>
          Each page that the recorder opens costs a credit
          {id !== null && ", and it runs the steps of the scraper, which may sign in"}. If you don’t know
          where the link comes from, leave this page.
        </p>
        <p>
          <Button kind="primary" onClick={onAccept}>
            Open the page
          </Button>
        </p>
      </div>
    </Page>
  );
}

function Recording({ asked }: { asked: URLSearchParams }) {
  const recorder = useMemo(() => new Recorder(), []);
  const pointing = useMemo(() => new Pointing(recorder), [recorder]);
  const [stored, setStored] = useState<TaggedScraper>();
  const [error, setError] = useState<unknown>();
  const [isStacked, setStacked] = useState(false);
  useEffect(() => {
    const [id, url] = [asked.get("scraper"), asked.get("url")];
    if (id !== null) void loadScraper(id, recorder).then(setStored, setError);
    else if (url !== null) void recorder.open(url);
    return () => recorder.stop();
  }, [recorder, asked]);
  const step = asked.get("step");
  const failedStep = step === null ? undefined : Number(step);
  const { value: definition } = recorder.definition;
  const isChanged =
    definition !== undefined && (stored === undefined || !isSame(definition, definitionOf(stored.scraper)));
  useGuard(isChanged && (stored !== undefined || recorder.list.value !== undefined));
  const onStored = (tagged: TaggedScraper) => {
    setStored(tagged);
    recorder.stored(definitionOf(tagged.scraper));
    setQuery({ scraper: tagged.scraper.id, url: "", step: "" });
  };
  if (error !== undefined)
    return (
      <Page title="Record" parent={{ title: "Scrapers", href: "/scrapers" }}>
        <ErrorState error={error} />
      </Page>
    );
  if (definition === undefined && asked.get("scraper") !== null) return <Loading what="the scraper" />;
  return (
    <Page
      title={stored === undefined ? "New scraper" : stored.scraper.name}
      parent={
        stored === undefined
          ? { title: "Scrapers", href: "/scrapers" }
          : { title: "Scraper", href: `/scrapers/${stored.scraper.id}` }
      }
    >
      <div class="recorder">
        <AddressBar recorder={recorder} isStored={stored !== undefined} />
        {definition === undefined ? (
          <Introduction />
        ) : (
          <>
            <Steps recorder={recorder} />
            <div class={`bench ${isStacked ? "is-stacked" : ""}`}>
              <PicturePane
                recorder={recorder}
                pointing={pointing}
                isStacked={isStacked}
                onStack={setStacked}
              />
              <Panel
                recorder={recorder}
                pointing={pointing}
                failedStep={isChanged ? undefined : failedStep}
              />
            </div>
            <SaveBar recorder={recorder} stored={stored} onStored={onStored} isChanged={isChanged} />
          </>
        )}
        <Dialogs recorder={recorder} pointing={pointing} />
      </div>
    </Page>
  );
}

/** Explains the recorder to new users. */
function Introduction() {
  return (
    <>
      <Example />
      <ol class="introduction">
        <li>
          <strong>Gleaner opens the page</strong>
          <span>and shows a picture of it, with the lists that it has.</span>
        </li>
        <li>
          <strong>You see the rows at once</strong>
          <span>of the best list. Choose another one, and name, drop or add columns.</span>
        </li>
        <li>
          <strong>It tests the next page</strong>
          <span>before anything is saved. Then run it now, or on a schedule.</span>
        </li>
      </ol>
    </>
  );
}

async function loadScraper(id: string, recorder: Recorder): Promise<TaggedScraper> {
  const tagged = await api.getScraper(id);
  void recorder.load(takeDraft(id) ?? definitionOf(tagged.scraper));
  return tagged;
}

/** Asks the user for a confirmation before leaving the page with unsaved changes. */
function useGuard(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    guardPage(() => confirm("What you recorded is not saved. Leave this page?"));
    return () => guardPage(undefined);
  }, [isActive]);
}
