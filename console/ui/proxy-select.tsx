import type { Definition } from "../api/api.ts";
import { serviceFacts } from "../api/service-facts.ts";
import { Select } from "./field.tsx";

type ProxyType = NonNullable<Definition["proxy"]>["type"];

const PROXIES: readonly { value: ProxyType; label: string }[] = [
  { value: "none", label: "None" },
  { value: "datacenter", label: "Datacenter" },
  { value: "residential", label: "Residential (10 credits a page)" },
  { value: "custom", label: "Custom" },
];

/** Whether scrapers can use a type of proxy, as far as the service tells which ones are set up. */
export const isProxyOffered = (type: string): boolean => serviceFacts().proxies?.includes(type) ?? true;

/** Chooses one of the types of proxies that are set up. Shows nothing if there are none. */
export function ProxySelect({ type, onType }: { type: ProxyType; onType: (type: ProxyType) => void }) {
  const options = PROXIES.filter(({ value }) => value === "none" || value === type || isProxyOffered(value));
  if (options.length === 1) return null;
  return (
    <Select label="Proxy" value={type} options={options} onValue={(value) => onType(value as ProxyType)} />
  );
}
