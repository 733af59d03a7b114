/** Calls a route's function with the key of an account, and returns the answer. @throws if it is no success */
export type RequestRoute = (fn: string, event: object) => Promise<Record<string, unknown>>;

/**
 * Calls the routes that need a key, so that the functions make the calls of a request that is admitted. Left out are
 * `call-mcp`, which needs API Gateway, and the picture of a failed run.
 */
export async function callEveryRoute(request: RequestRoute, definition: object, page: string): Promise<void> {
  const on = (id: unknown) => ({ pathParameters: { id: String(id) } });
  const post = (body: object = {}) => ({ httpMethod: "POST", body: JSON.stringify(body) });
  const scheduled = { ...definition, schedule: { interval: "1 day" } };
  const { id: scraper } = await request("create-scraper", post(scheduled));
  await request("replace-scraper", { httpMethod: "PUT", body: JSON.stringify(scheduled), ...on(scraper) });
  await request("get-scraper", on(scraper));
  const { id: run } = await request("create-run", post({ scraper_id: scraper }));
  await request("stop-run", { ...post(), ...on(run) });
  const { id: batch } = await request(
    "create-batch",
    post({ scraper_id: scraper, inputs: [{ open: page }] }),
  );
  await request("stop-batch", { ...post(), ...on(batch) });
  for (const fn of ["get-batch", "list-batch-inputs", "get-batch-rows"]) await request(fn, on(batch));
  for (const fn of ["get-run", "get-run-rows", "get-run-files", "read-run-log", "get-run-webhook"])
    await request(fn, on(run));
  for (const fn of ["list-runs", "list-scrapers", "list-batches", "get-account", "get-health"])
    await request(fn, {});
  await request("create-inspection", post({ url: page, want: ["lists"] }));
  while ((await request("get-run", on(run))).status === "running")
    await new Promise((resolve) => setTimeout(resolve, 500));
  await request("resend-run-webhook", { ...post(), ...on(run) });
  while ((await request("get-batch", on(batch))).status === "running")
    await new Promise((resolve) => setTimeout(resolve, 500));
  await request("delete-batch", { httpMethod: "DELETE", ...on(batch) });
  const { id: hook } = await request(
    "create-hook",
    post({
      url: "https://example.org/hook",
      format: "standard",
      events: ["run.finished"],
      scraper_id: scraper,
    }),
  );
  for (const fn of ["get-hook", "list-hooks"]) await request(fn, on(hook));
  await request("test-hook", { ...post(), ...on(hook) });
  await request("delete-hook", { httpMethod: "DELETE", ...on(hook) });
  await request("put-session", { ...post({ cookies: [], origins: [] }), httpMethod: "PUT", ...on("shop") });
  await request("list-sessions", on("shop"));
  await request("list-audit-entries", {});
  await request("delete-session", { httpMethod: "DELETE", ...on("shop") });
  await request("delete-run", { httpMethod: "DELETE", ...on(run) });
  await request("delete-scraper", { httpMethod: "DELETE", ...on(scraper) });
}
