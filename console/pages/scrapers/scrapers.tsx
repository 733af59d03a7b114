import { Page } from "../../ui/page.tsx";

export function Scrapers() {
  return (
    <Page title="Scrapers">
      <p>Soon.</p>
    </Page>
  );
}
