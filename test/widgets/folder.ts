/** The folder of the widgets, with the libraries that their pages are built with. */
export const FOLDER = import.meta.dirname;
