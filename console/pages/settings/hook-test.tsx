import { useRef } from "preact/hooks";
import { targetOf, testResult } from "../../../functions/hooks/hook-words.ts";
import { api, type Hook } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState, Loading, Notice } from "../../ui/states.tsx";

/** Sends a test to a hook, and shows what came of the first attempt to deliver it. */
export function HookTest({ hook, onClose }: { hook: Hook; onClose: () => void }) {
  const sent = useRef<string | undefined>(undefined);
  const { data, error } = useLoad(
    async (signal) => {
      const tested = await (sent.current === undefined
        ? api.testHook(hook.id)
        : api.getHook(hook.id, signal));
      sent.current ??= tested.alerts.find(({ event }) => event === "hook.test")?.id;
      const test = tested.alerts.find(({ id }) => id === sent.current);
      if (test === undefined) throw new Error("The test is gone. Send another one.");
      return { result: testResult(tested, test) };
    },
    [hook.id],
    ({ result }) => result === undefined,
  );
  const result = data?.result;
  return (
    <Dialog
      title={`Test of the hook to ${targetOf(hook.url)}`}
      onClose={onClose}
      actions={<Button onClick={onClose}>Done</Button>}
    >
      {result !== undefined && (
        <div role="status">
          <Notice
            tone={result.isDelivered ? "info" : "bad"}
            title={result.isDelivered ? "Delivered" : "Not delivered"}
          >
            <p>{result.message}</p>
          </Notice>
        </div>
      )}
      {result === undefined && error !== undefined && <ErrorState error={error} />}
      {result === undefined && error === undefined && <Loading what="the result of the test" lines={2} />}
    </Dialog>
  );
}
