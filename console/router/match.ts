/** The values of a template such as `/runs/{id}/{tab?}` in a path; undefined if they don't match. */
export function match(template: string, path: string): Record<string, string> | undefined {
  const expected = template.split("/");
  const parts = path.replace(/(?<=.)\/$/, "").split("/");
  if (parts.length > expected.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, name] of expected.entries()) {
    const part = parts[index];
    const [, variable, optional] = /^\{(\w+)(\?)?\}$/.exec(name) ?? [];
    if (variable === undefined ? name !== part : !part && optional === undefined) return undefined;
    if (variable !== undefined && part) values[variable] = part;
  }
  return values;
}
