/**
 * Replaces semver in the bundles. The packages of the tracer only compare the versions of Node.js and of the AWS SDK with
 * it, which are plain numbers; the whole package is 29 kB.
 */
export const gte = (version: string, least: string): boolean =>
  version.localeCompare(least, "en", { numeric: true }) >= 0;
