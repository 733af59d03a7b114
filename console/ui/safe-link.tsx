/** Shows an untrusted value: as a link if it is an http(s) address, and as text otherwise. */
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
