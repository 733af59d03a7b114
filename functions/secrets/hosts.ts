import * as v from "valibot";

const PARTS = /^(.*?)(?::(\d{1,5}))?$/;

/** `host`, which includes all its ports, or `host:port`. */
export const HostName = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const [, name = "", port] = PARTS.exec(dataset.value.trim()) ?? [];
    const hostname = /[/?#@*%\s]/.test(name) ? undefined : URL.parse(`http://${name}/`)?.hostname;
    if (hostname) return port === undefined ? hostname : `${hostname}:${port}`;
    addIssue({ message: `"${dataset.value}" must be a host such as shop.example, or host:port` });
    return NEVER;
  }),
);

/** The host of an address in the format of `HostName`: without a port if the address has none. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? "";

/** Whether an address belongs to one of these hosts. */
export function belongsTo(hosts: readonly string[], address: string): boolean {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return hosts.includes(url.hostname) || hosts.includes(`${url.hostname}:${port}`);
}
