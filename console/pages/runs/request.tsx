import type { Run } from "../../api/api.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Json } from "../../ui/json.tsx";
import { Section } from "../../ui/page.tsx";

/** The steps and settings of a run, and a curl command that starts a similar run. */
export function Request({ run }: { run: Run }) {
  const { scraper_id, rows_limit, webhook_url, steps } = run;
  const command = [
    `curl ${location.origin}/v1/runs \\`,
    `  -H "Authorization: Bearer $GLEANER_KEY" \\`,
    `  -d scraper_id=${scraper_id} \\`,
    `  -d rows_limit=${rows_limit}`,
  ].join("\n");
  return (
    <div class="stack">
      <Section title="Steps and settings">
        <Json value={{ rows_limit, webhook_url, steps }} what="the request" />
      </Section>
      <Section title="The same request with the API" aside={<CopyButton text={command} what="the command" />}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keyboard. */}
        <pre class="code card" tabIndex={0}>
          {command}
        </pre>
      </Section>
    </div>
  );
}
