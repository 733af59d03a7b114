/** Without these limits, a request on a dead connection would last until the function times out. Times are in ms. */
export const clientOptions = {
  requestHandler: {
    connectionTimeout: 2_000,
    /** Until the response begins, and between two parts of it. */
    requestTimeout: 10_000,
    socketTimeout: 10_000,
    // By default, the SDK only logs that a request takes longer than requestTimeout.
    throwOnRequestTimeout: true,
  },
};
