/** The fields of a body that is not validated yet; no fields if it is not an object. */
export const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
