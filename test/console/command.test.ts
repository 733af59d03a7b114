import { afterAll, expect, test } from "@jest/globals";
import { userCommand } from "../../console/format/command.ts";

const SIGN_IN = "npx gleaner session sign-in shop https://shop.example/login";

afterAll(() => {
  Reflect.deleteProperty(globalThis, "document");
});

test.each([
  ["of this machine needs nothing", "http://localhost:4000", {}, ""],
  ["with a data folder names it", "http://127.0.0.1:4000", { dataFolder: "/my data" }, " --data '/my data'"],
  ["on AWS is named by its address", "https://d1.cloudfront.net", {}, " --url https://d1.cloudfront.net"],
  [
    "behind a proxy is named by its address",
    "https://gleaner.example:8443",
    { dataFolder: "/data" },
    " --url https://gleaner.example:8443",
  ],
])("a command for a service %s", (_, address, facts, rest) => {
  globalThis.document = { querySelector: () => ({ content: JSON.stringify(facts) }) } as unknown as Document;
  expect(userCommand(SIGN_IN, new URL(address))).toBe(SIGN_IN + rest);
});
