/** The name of a file with rows: the name of the scraper, and the day on which the rows were read. */
export function fileName(scraper: string, at: string, ending: string): string {
  const words = scraper.normalize("NFC").match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["rows"];
  const day = new Date(at);
  const date = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${words.join("-").slice(0, 80)}-${date.join("-")}.${ending}`;
}
