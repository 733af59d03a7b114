import { roleCredentials } from "./environment.ts";

/**
 * Replaces @aws-sdk/credential-provider-node in the bundles. On Lambda, credentials always come from the environment;
 * the code for all other sources is 90 kB.
 */
export const defaultProvider = () => async () => roleCredentials();
