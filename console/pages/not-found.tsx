import { ButtonLink } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";

export function NotFound() {
  return (
    <Page title="No such page">
      <p class="lead">Nothing is at this address. It may be mistyped, or what it showed was deleted.</p>
      <p>
        <ButtonLink href="/">Go to the home page</ButtonLink>
      </p>
    </Page>
  );
}
