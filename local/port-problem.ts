const problems: Record<string, string> = {
  EADDRINUSE: "is in use by another program",
  EACCES: "needs more permissions than you have",
};

/** Why nothing can listen on a port, by the code of the error; undefined for an error that is not about the port. */
export const portProblem = (code = ""): string | undefined => problems[code];
