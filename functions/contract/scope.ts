/** What a caller may do. Each scope includes those before it. */
export const SCOPES = ["read", "run", "write", "admin"] as const;
/** What an API key may permit. The scope admin is for people who sign in to a service on one machine. */
export const KEY_SCOPES = ["read", "run", "write"] as const satisfies Scope[];
export type Scope = (typeof SCOPES)[number];

export const permits = (granted: Scope, needed: Scope): boolean =>
  SCOPES.indexOf(granted) >= SCOPES.indexOf(needed);
