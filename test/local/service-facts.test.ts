import { expect, test } from "@jest/globals";
import { factsOf } from "../../local/service.ts";

test.each([
  [{}, true],
  [{ host: "localhost" }, true],
  [{ host: "::1" }, true],
  [{ host: "0.0.0.0" }, false],
  [{ host: "192.168.1.2" }, false],
  [{ names: ["gleaner.example.com"] }, false],
  [{ publicUrl: "https://gleaner.example.com" }, false],
  [{ signOn: {} }, false],
])("a service with %j opens windows for whoever uses its console: %s", (options, opensWindows) => {
  expect(factsOf({ data: ".gleaner", ...options }).opensWindows).toBe(opensWindows);
});
