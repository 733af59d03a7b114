import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

/**
 * A self-signed certificate and its key, only for tests. Its names are localhost, secure.test, proxy.test and
 * 127.0.0.1.
 */
export const certificate = { key: read("key.pem"), cert: read("certificate.pem") };
