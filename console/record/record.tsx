import { Page } from "../ui/page.tsx";

/** The recorder. */
export function Record() {
  return (
    <Page title="New scraper">
      <p>The recorder is not part of this version yet.</p>
    </Page>
  );
}
