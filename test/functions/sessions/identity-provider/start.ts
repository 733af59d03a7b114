import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Secret, TOTP } from "otpauth";
import { sendHtml } from "../../../site/site.ts";

/** What is used of `oidc-provider`, which is installed in this folder only, so that no other test needs it. */
interface Provider {
  callback(): RequestListener;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ uid: string }>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: { login: { accountId: string; amr: string[] } },
  ): Promise<void>;
}

interface LoginSession {
  loginTs?: number;
}

interface GrantContext {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    provider: {
      Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
  };
}

export interface IdentityProvider {
  /** Its address, such as `http://localhost:port`. */
  issuer: string;
  host: string;
  /** How often somebody has signed in with both factors. */
  signIns: number;
  /** By how much its clock is ahead, in ms. */
  ahead: number;
  close(): Promise<void>;
}

export const PASSWORD = "correct horse battery";
export const SEED = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
export const CLIENT = { client_id: "shop", client_secret: "the client's own" };
/** How long a sign-in lasts, in seconds. It is not prolonged by use. */
export const SIGN_IN_SECONDS = 5 * 86_400;

const PASSWORD_FORM = `<h1>Sign in</h1><ul class=orders><li>Terms</li></ul><form method=post>
  <label>E-mail <input name=email type=email autocomplete=username></label>
  <label>Password <input name=password type=password></label><button>Continue</button></form>`;
const CODE_FORM = `<h1>Enter the code of your app</h1><form method=post>
  <label>Code <input name=code inputmode=numeric autocomplete=one-time-code></label><button>Verify</button></form>`;

/**
 * Starts the OpenID provider `oidc-provider` with one user, who has a password and an authenticator app. It accepts each
 * code once.
 * @param callback the redirect URI of its only client
 */
export async function startIdentityProvider(callback: string): Promise<IdentityProvider> {
  const { Provider } = await import(join(import.meta.dirname, "node_modules/oidc-provider/lib/index.js"));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://localhost:${port}`;
  const provider: Provider = new Provider(issuer, configuration(callback));
  const answer = provider.callback();
  const result = {
    issuer,
    host: `localhost:${port}`,
    signIns: 0,
    ahead: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const factors = new Factors();
  server.on("request", async (request, response) => {
    if (!request.url?.startsWith("/sign-in/")) return answer(request, response);
    const { uid } = await provider.interactionDetails(request, response);
    const form = new URLSearchParams(await text(request));
    if (!factors.check(uid, form, Date.now() + result.ahead))
      return sendHtml(response, factors.hasPassword(uid) ? CODE_FORM : PASSWORD_FORM);
    result.signIns += 1;
    const login = { accountId: "me", amr: ["pwd", "otp"] };
    return provider.interactionFinished(request, response, { login });
  });
  return result;
}

function configuration(callback: string): object {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const account = { accountId: "me", claims: () => ({ sub: "me" }) };
  return {
    clients: [{ ...CLIENT, redirect_uris: [callback] }],
    cookies: { keys: ["signs the cookies"] },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "RS256" }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    findAccount: () => account,
    async loadExistingGrant({ oidc: { client, session, provider } }: GrantContext) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid");
      await grant.save();
      return grant;
    },
    ttl: {
      ...{ AccessToken: 60, AuthorizationCode: 60, Grant: SIGN_IN_SECONDS, IdToken: 60, Interaction: 600 },
      Session: (_: unknown, { loginTs }: LoginSession) =>
        loginTs === undefined
          ? SIGN_IN_SECONDS
          : Math.max(1, loginTs + SIGN_IN_SECONDS - Math.floor(Date.now() / 1000)),
    },
  };
}

/** The state of those who are signing in. */
class Factors {
  readonly #withPassword = new Set<string>();
  readonly #app = new TOTP({ secret: Secret.fromBase32(SEED) });
  readonly #usedCodes = new Set<number>();

  hasPassword(uid: string): boolean {
    return this.#withPassword.has(uid);
  }

  /** Takes what was sent with one of the forms. True once both factors are right. */
  check(uid: string, form: URLSearchParams, timestamp: number): boolean {
    if (form.get("email") === "me@shop.example" && form.get("password") === PASSWORD)
      this.#withPassword.add(uid);
    const token = form.get("code");
    if (token === null || !this.hasPassword(uid)) return false;
    const delta = this.#app.validate({ token, timestamp, window: 1 });
    if (delta === null) return false;
    const counter = this.#app.counter({ timestamp }) + delta;
    if (this.#usedCodes.has(counter)) return false;
    this.#usedCodes.add(counter);
    return true;
  }
}
