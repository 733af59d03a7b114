/** A scraped or typed value: a link if it is an address of the web, and text otherwise. Never markup. */
export function SafeLink({ value }: { value: string }) {
  return isWebAddress(value) ? (
    <a href={value} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  ) : (
    value
  );
}

export function isWebAddress(value: string): boolean {
  if (!/^https?:\/\//i.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol);
}
