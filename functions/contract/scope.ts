/** What an API key permits. Each scope includes those before it. */
export const SCOPES = ["read", "run", "write"] as const;
export type Scope = (typeof SCOPES)[number];

export const permits = (granted: Scope, needed: Scope): boolean =>
  SCOPES.indexOf(granted) >= SCOPES.indexOf(needed);
