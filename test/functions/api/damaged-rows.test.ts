import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { apiHandlers } from "../../../functions/api/api-handlers.ts";
import type { RouteName } from "../../../functions/contract/routes.ts";
import { unusedByApi } from "../../no-files.ts";
import { startTable } from "../store/local-table.ts";
import { withSend } from "../store/with-send.ts";
import { startLife } from "../workers/life.ts";

const table = await startTable();

test.each<RouteName>(["getRun", "listRuns"])(
  "%s answers 500 in our shape where rows are missing",
  async (route) => {
    const life = await startLife(table, {
      async *scrape() {
        yield { rows: Array.from({ length: 2_000 }, () => ({ id: crypto.randomUUID() })), checkpoint: {} };
        return "done";
      },
    });
    const pieces: object[] = [];
    const watched = withSend(table, (send, { name, input }) => {
      const { pk, sk } = (input.Item ?? {}) as { pk?: string; sk?: string };
      if (name === "PutCommand" && pk?.endsWith("#ROWS")) pieces.push({ pk, sk });
      return send();
    });
    const run = await life.start();
    await life.execute(run, { table: watched });
    const { key } = await createApiKey(table, life.account, new Date());
    const logged: string[] = [];
    const log = {
      info() {},
      error: (message: string, fields?: object) =>
        void logged.push(`${message} ${Object.values(fields ?? {})}`),
    };
    const handlers = apiHandlers({
      ...life.deps,
      log,
      now: () => new Date(),
      ...unusedByApi,
    });
    const event = {
      headers: { authorization: `Bearer ${key}` },
      pathParameters: { id: run.id },
      queryStringParameters: null,
      requestContext: { requestId: "x" },
    };
    expect((await handlers[route](structuredClone(event) as never, {} as never)).statusCode).toBe(200);
    for (const Key of pieces) await table.db.send(new DeleteCommand({ TableName: table.name, Key }));
    const answer = await handlers[route](event as never, {} as never);
    expect(answer.statusCode).toBe(500);
    expect(JSON.parse(String(answer.body))).toEqual({
      message: expect.stringContaining("Internal server error"),
    });
    expect(logged.join()).toContain(`The stored rows of run ${run.id} are damaged`);
  },
);
