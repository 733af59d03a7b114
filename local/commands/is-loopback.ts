/** Whether only this machine can reach a host. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || host.startsWith("127.");
