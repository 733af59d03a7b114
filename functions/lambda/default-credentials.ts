import { roleCredentials } from "./environment.ts";

/**
 * Stands in for @aws-sdk/credential-provider-node in the bundles: on Lambda credentials come from the environment
 * alone, and all the other places to look for them are 90 kB of code to load.
 */
export const defaultProvider = () => async () => roleCredentials();
