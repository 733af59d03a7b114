/** Without limits of its own a request on a dead connection would take as long as the function may. */
export const clientOptions = { requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000 } };
