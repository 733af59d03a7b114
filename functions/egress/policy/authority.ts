/** `host:port`, with an IPv6 address in brackets. */
export const authorityOf = (host: string, port: number): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;
