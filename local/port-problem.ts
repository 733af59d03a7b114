const problems: Record<string, string> = {
  EADDRINUSE: "is in use by another program",
  EACCES: "needs more permissions than you have",
};

/** Why a server can't listen on a port, from the error code; undefined if the error is not about the port. */
export const portProblem = (code = ""): string | undefined => problems[code];
