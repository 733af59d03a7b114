import { useState } from "preact/hooks";
import { api, type Run, type RunFile } from "../../api/api.ts";
import { messageOf } from "../../api/api-error.ts";
import { useLoad } from "../../api/use-load.ts";
import { fileName } from "../../format/file-name.ts";
import { bytes, count, counted } from "../../format/numbers.ts";
import { Button } from "../../ui/button.tsx";
import { download } from "../../ui/file-dialog.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { names } from "./names.ts";

/** How many files are shown. The archive has all. */
const SHOWN = 200;

/** The files that a run has downloaded. A button saves one, or all of them as an archive. */
export function Files({ run, files }: { run: Run; files: NonNullable<Run["files"]> }) {
  const { data, error, reload } = useLoad(
    (signal) => api.listFiles(run.id, SHOWN, signal),
    [run.id, files.count],
  );
  const [busy, setBusy] = useState<string>();
  const save = async (name: string, load: () => Promise<Blob>) => {
    setBusy(name);
    await load().then(
      (blob) => download(blob, name),
      (failure) => toast(messageOf(failure), { isBad: true }),
    );
    setBusy(undefined);
  };
  if (data === undefined)
    return error === undefined ? (
      <Loading what="the files" lines={8} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  const archive = fileName(`${names.value.get(run.scraper_id) ?? ""} files`, run.created_at, "zip");
  return (
    <div class="stack">
      <div class="rows-head">
        <p class="soft">
          {counted(files.count, "file")}, {bytes(files.bytes)}
          {files.failed > 0 && `, ${count(files.failed)} not downloaded`}
        </p>
        <Button
          class="small"
          busy={busy === archive}
          onClick={() => save(archive, () => api.archive(run.id))}
        >
          Save all
        </Button>
      </div>
      <Table<RunFile>
        caption="Files"
        items={data}
        keyOf={({ name }) => name}
        columns={[
          {
            title: "Name",
            cell: ({ name, number, error: failure }) =>
              failure === null ? (
                <Button
                  class="small"
                  busy={busy === name}
                  onClick={() => save(name, () => api.file(run.id, number))}
                >
                  {name}
                </Button>
              ) : (
                name
              ),
          },
          { title: "Size", isNumber: true, cell: (file) => file.bytes !== null && bytes(file.bytes) },
          { title: "Row", isNumber: true, cell: ({ row }) => count(row + 1) },
          { title: "Address", cell: ({ url, error: failure }) => <bdi>{failure ?? url}</bdi> },
        ]}
      />
      {data.length < files.count && (
        <p class="hint">
          The first {count(data.length)} of {count(files.count)}. <b>Save all</b> saves all.
        </p>
      )}
    </div>
  );
}
