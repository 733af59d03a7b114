type Nested<T> = T & { list?: { fields: readonly T[] } | undefined };

/** The fields that have a value of their own: in place of a nested list, those of its rows. */
export const valueFieldsOf = <T>(fields: readonly Nested<T>[]): T[] =>
  fields.flatMap((field): T[] => [...(field.list?.fields ?? [field])]);
