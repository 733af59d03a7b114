/** Returns a function that makes the environment variables what they are now. */
export function keepVariables(): () => void {
  const variables = process.env;
  const before = { ...variables };
  return () => {
    // A test may have set another object.
    process.env = variables;
    for (const name of Object.keys(variables)) if (!(name in before)) delete variables[name];
    Object.assign(variables, before);
  };
}
