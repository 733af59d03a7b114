/** Reads the first lines of a response, each of which is JSON, at most `most`, and does not load the rest. */
export async function firstLines<T>(response: Response, most: number): Promise<T[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: string[] = [];
  let rest = "";
  while (reader !== undefined && lines.length < most) {
    const { done, value = "" } = await reader.read();
    const parts = (rest + value).split("\n");
    rest = done ? "" : (parts.pop() ?? "");
    lines.push(...parts.filter((line) => line !== ""));
    if (done) break;
  }
  await reader?.cancel();
  return lines.slice(0, most).map((line) => JSON.parse(line) as T);
}
