/** The folder of the widget tests. Its node_modules has the libraries that the pages use. */
export const FOLDER = import.meta.dirname;
