/** A time in a time zone, in the format of `<input type="datetime-local">`: "2026-11-23T09:00". */
export function toLocal(at: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(new Date(at));
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return `${get("year")}-${get("month")}-${get("day")}T${get("hour")}:${get("minute")}`;
}

/**
 * The inverse of `toLocal`: the ISO 8601 time of a local date and time; undefined if the text is none. A local time
 * that a clock change skips moves forward.
 */
export function fromLocal(local: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return undefined;
  let moment = wanted;
  // Two rounds, because the first guess may be on the wrong side of a clock change.
  for (let round = 0; round < 2; round += 1) {
    moment += wanted - Date.parse(`${toLocal(new Date(moment).toISOString(), timeZone)}Z`);
  }
  return new Date(moment).toISOString();
}

export function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The time zones that this browser knows. */
export const timeZones = (): string[] => [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
];

/** The time zone of this browser. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
