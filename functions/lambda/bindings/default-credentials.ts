import { roleCredentials } from "./environment.ts";

/**
 * Replaces @aws-sdk/credential-provider-node in the bundles, to save 90 kB of code for other sources of credentials. On
 * Lambda, credentials always come from the environment.
 */
export const defaultProvider = () => async () => roleCredentials();
