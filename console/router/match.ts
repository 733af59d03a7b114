/**
 * The values that a path has for the variables of a template such as `/runs/{id}/{tab?}`; undefined if it does not
 * match.
 */
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
