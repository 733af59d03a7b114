/** Does something `count` times, at most `most` at a time: by default as many as the service executes runs. The results are in order. */
export async function abreast<T>(count: number, work: (place: number) => Promise<T>, most = 2): Promise<T[]> {
  const results: T[] = [];
  const places = Array.from({ length: count }, (_, place) => place).values();
  const worker = async () => {
    for (const place of places) results[place] = await work(place);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
