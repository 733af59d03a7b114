/** Options of all AWS clients. The timeouts, in ms, end requests on dead connections before the function times out. */
export const clientOptions = {
  requestHandler: {
    connectionTimeout: 2_000,
    /** Until the response begins. `socketTimeout` limits the time between two parts of it. */
    requestTimeout: 10_000,
    socketTimeout: 10_000,
    // By default, the SDK only logs a warning after requestTimeout.
    throwOnRequestTimeout: true,
  },
};
