/** Why Chromium has no sandbox, if the user is root; undefined: the user is not. */
export const rootHasNoSandbox = (): string | undefined =>
  process.platform === "linux" && process.getuid?.() === 0 ? "the service runs as root" : undefined;
