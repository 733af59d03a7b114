import { Page } from "../../ui/page.tsx";

export function ScraperPage() {
  return (
    <Page title="Scraper">
      <p>Soon.</p>
    </Page>
  );
}
