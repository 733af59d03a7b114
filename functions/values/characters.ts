/** Marks that change the direction of text, which CLDR puts around signs. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const DIGIT = /\p{Nd}/u;

/** The same text with the digits 0 to 9 for those of all scripts, simple spaces, and without direction marks. */
export const withAsciiDigits = (text: string): string =>
  text
    .replace(DIRECTION_MARKS, "")
    .replace(/\s/g, " ")
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitOf(digit.codePointAt(0) as number)));

/** Unicode has the ten digits of a script in a row. */
function digitOf(digit: number): number {
  let zero = digit;
  while (digit - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return digit - zero;
}

/** Languages whose words are known where no locale is stated. */
export const LANGUAGES = [
  ..."ar bg bn bs ca cs da de el en es et eu fa fi fr gl he hi hr hu id is it ja ka ko lt lv mk ms nb nl pl pt ro ru".split(
    " ",
  ),
  ..."sk sl sq sr sv sw ta te th tr uk ur vi zh".split(" "),
];
