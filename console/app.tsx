import { type ComponentType, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "./api/api.ts";
import { isReachable, request } from "./api/request.ts";
import {
  apiKey,
  isLapsed,
  noteAccount,
  offeredKey,
  SIGNED_ON,
  sessionNumber,
  signOut,
} from "./api/session.ts";
import type { PageProps } from "./pages/page-props.ts";
import { pages } from "./pages/pages.ts";
import { KeyOfLink, SignIn, SignInAgain } from "./pages/sign-in.tsx";
import { match } from "./router/match.ts";
import { place, section } from "./router/router.ts";
import { Button } from "./ui/button.tsx";
import { Loading } from "./ui/states.tsx";
import { Toasts } from "./ui/toast.tsx";

const LINKS = [
  { section: "", href: "/", title: "Home" },
  { section: "scrapers", href: "/scrapers", title: "Scrapers" },
  { section: "runs", href: "/runs", title: "Runs" },
  { section: "batches", href: "/batches", title: "Batches" },
  { section: "settings", href: "/settings", title: "Settings" },
];

/** The page of the documentation for each section, if it is not that of the console. */
const HELP: Record<string, string> = {
  scrapers: "scrapers",
  runs: "failures",
  batches: "batches",
  settings: "keys",
};

/**
 * The console. Without a session, every address shows the sign-in page, and keeps its address for after the sign-in.
 */
export function App() {
  const { value: key } = apiKey;
  useEffect(() => {
    // An error is ignored here: the pages show the errors of their own requests.
    if (key !== null)
      api.account().then(
        ({ id, access }) => noteAccount(key, id, access.scope),
        () => {},
      );
  }, [key]);
  if (key === null && !isLapsed.value) {
    return (
      <>
        <main class="sign-in">
          <SignIn />
        </main>
        {offeredKey.value !== null && <KeyOfLink />}
        <Toasts />
      </>
    );
  }
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="shell">
        <Navigation />
        <main id="content" tabIndex={-1}>
          {!isReachable.value && (
            <p class="offline" role="status">
              Offline: the service can’t be reached. What you see may be out of date. Trying again…
            </p>
          )}
          {/* The key removes the state of the page when another account signs in. */}
          <Fragment key={sessionNumber.value}>
            <CurrentPage />
          </Fragment>
        </main>
      </div>
      {key === null && <SignInAgain />}
      {offeredKey.value !== null && <KeyOfLink />}
      <Toasts />
    </>
  );
}

function Navigation() {
  return (
    <header class="side">
      <a class="brand" href="/" aria-label="Gleaner">
        <span class="brand-mark" aria-hidden="true" />
        Gleaner
      </a>
      <nav aria-label="Main">
        {LINKS.map((link) => (
          <a
            key={link.href}
            href={link.href}
            aria-current={link.section === section.value ? "page" : undefined}
          >
            {link.title}
          </a>
        ))}
      </nav>
      <div class="side-end">
        <a href={`/help/${HELP[section.value] ?? "console"}`}>Help</a>
        <a href="/v1/reference" target="_blank" rel="noopener">
          API reference
        </a>
        {apiKey.value !== SIGNED_ON && (
          <Button kind="quiet" class="small" onClick={() => signOut()}>
            Sign out
          </Button>
        )}
      </div>
    </header>
  );
}

/** Shown if the code of a page could not be loaded: the service is stopped, or has another version of the console. */
function NotLoaded() {
  const [isAsked, setAsked] = useState(false);
  const [wasOffline, setWasOffline] = useState(false);
  const isOffline = isAsked && !isReachable.value;
  useEffect(() => {
    const asked = () => setAsked(true);
    void request("GET", "/v1/health").then(asked, asked);
  }, []);
  useEffect(() => {
    if (isOffline) setWasOffline(true);
    // The service can be reached again. Only a reload helps: the browser may cache the failed import.
    else if (wasOffline) location.reload();
  }, [isOffline, wasOffline]);
  if (!isAsked) return <Loading what="the page" />;
  return (
    <div class="error-state" role="alert">
      <h1 class="empty-title">{isOffline ? "Offline" : "This page could not be loaded"}</h1>
      <p>
        {isOffline
          ? "The service can’t be reached. Check that it is running, and your connection. The page comes as soon as it can."
          : "The console was updated since you opened it."}
      </p>
      {!isOffline && <Button onClick={() => location.reload()}>Reload</Button>}
    </div>
  );
}

/** The page at the current address. Its code is loaded when the page is first shown. */
function CurrentPage() {
  const { path } = place.value;
  const found = pages
    .map((page) => ({ page, params: match(page.path, path) }))
    .find(({ params }) => params !== undefined);
  const page = found?.page ?? pages.at(-1);
  const [loaded, setLoaded] = useState<{
    of: unknown;
    Component?: ComponentType<PageProps>;
    error?: unknown;
  }>();
  useEffect(() => {
    let isCurrent = true;
    page?.load().then(
      (Component) => isCurrent && setLoaded({ of: page, Component }),
      (error) => isCurrent && setLoaded({ of: page, error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [page]);
  if (loaded?.of !== page) return <Loading what="the page" />;
  if (loaded?.Component === undefined) {
    return <NotLoaded />;
  }
  const { Component } = loaded;
  const { id = found === undefined ? path : "", tab = "" } = found?.params ?? {};
  return <Component key={`${page?.path} ${id}`} id={id} tab={tab} />;
}
