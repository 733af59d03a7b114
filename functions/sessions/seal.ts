import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import * as v from "valibot";
import { SessionState } from "../contract/sessions/session.ts";

/** An item of the table has at most 400 KB. */
export const SEALED_MAX_BYTES = 350_000;
/** The largest state before it is compressed. */
const STATE_MAX_BYTES = 10_000_000;

/** A state has to be smaller to be kept. */
export class StateTooLarge extends Error {
  override name = "StateTooLarge";
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/**
 * A state, compressed and encrypted: the nonce, the tag and the data.
 * @param boundTo what the result can't be used without, such as the account and the name
 * @throws StateTooLarge
 */
export async function seal(state: SessionState, key: Buffer, boundTo: readonly string[]): Promise<Buffer> {
  const json = Buffer.from(JSON.stringify(state));
  if (json.length > STATE_MAX_BYTES) throw new StateTooLarge();
  const small = await compress(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  if (small.length > SEALED_MAX_BYTES) throw new StateTooLarge();
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(JSON.stringify(boundTo)));
  const data = Buffer.concat([cipher.update(small), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), data]);
}

/** The state that `seal` has encrypted; undefined if it was changed, or encrypted with another key. */
export async function unseal(
  sealed: Buffer,
  key: Buffer,
  boundTo: readonly string[],
): Promise<SessionState | undefined> {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(JSON.stringify(boundTo)))
      .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const small = Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
    const json = await decompress(small, { maxOutputLength: STATE_MAX_BYTES });
    return v.parse(SessionState, JSON.parse(json.toString()));
  } catch {
    return undefined;
  }
}

/** The hosts whose cookies or storage a state has, sorted. */
export const hostsOf = ({ cookies, origins }: SessionState): string[] =>
  [
    ...new Set([
      ...cookies.map(({ domain }) => domain.replace(/^\./, "")),
      ...origins.flatMap(({ origin }) => URL.parse(origin)?.host ?? []),
    ]),
  ].sort();
