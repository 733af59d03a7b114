import { differences } from "../../format/differences.ts";
import { Button } from "../../ui/button.tsx";
import { Notice, useInSight } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { definitionOf, type Store } from "./use-store.ts";

/**
 * Shown when the scraper has changed since this page was loaded. Lists the differences between the two versions, and
 * asks which of them to keep.
 */
export function Conflict({ store }: { store: Store }) {
  const { conflict } = store;
  const ref = useInSight<HTMLDivElement>(conflict);
  if (conflict === undefined) return null;
  const { theirs, mine } = conflict;
  const found = differences(mine, definitionOf(theirs.scraper));
  return (
    <div ref={ref} role="alert">
      <Notice tone="warn" title="Somebody else has changed this scraper">
        <p>
          Version {theirs.scraper.version} was saved <Time at={theirs.scraper.updated_at} />, after you opened
          this page. Your changes are not saved yet.
        </p>
        <div class="table-frame">
          <table class="table differences">
            <caption class="visually-hidden">Where your version and the saved one differ</caption>
            <thead>
              <tr>
                <th scope="col">Where</th>
                <th scope="col">Yours</th>
                <th scope="col">Saved</th>
              </tr>
            </thead>
            <tbody>
              {found.map(({ path, one, other }) => (
                <tr key={path}>
                  <th scope="row">
                    <code>{path}</code>
                  </th>
                  <td>
                    <code>{one ?? "absent"}</code>
                  </td>
                  <td>
                    <code>{other ?? "absent"}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {found.length === 0 && <p>Both are the same.</p>}
        <div class="buttons">
          <Button kind="danger" busy={store.busy} onClick={() => store.store(mine, theirs.etag)}>
            Save mine instead
          </Button>
          <Button onClick={store.takeTheirs}>Keep the saved version</Button>
        </div>
      </Notice>
    </div>
  );
}
