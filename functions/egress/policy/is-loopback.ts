/** Whether only this machine can reach a host. It may have the brackets of a URL. */
export const isLoopback = (host: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){1,3}|::1|\[::1\])$/i.test(host);
