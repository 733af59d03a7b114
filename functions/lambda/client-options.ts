/** Without these limits, a request on a dead connection would last until the function times out. */
export const clientOptions = { requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000 } };
