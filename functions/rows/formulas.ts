/**
 * The start of a formula for spreadsheets: at the start of a value, or where a spreadsheet splits the value. In many
 * countries, spreadsheets split CSV files at semicolons or tabs, even inside quotation marks.
 */
const FORMULA = /(?=[=+\-@\t\r\uff0b\uff0d\uff1d\uff20])(?<=^|[;\t\r\n]"*)/g;
const NUMBER = /^[+-]?[\d.,\s]+%?$/;

/** A value with an apostrophe before each part that a spreadsheet would treat as a formula. Numbers stay as they are. */
export const withoutFormulas = (value: string): string =>
  NUMBER.test(value) ? value : value.replace(FORMULA, "'");
