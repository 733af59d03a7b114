import { test } from "@jest/globals";

test("is never run", () => {});
throw new Error("The file breaks off.");
