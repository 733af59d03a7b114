import { invalid } from "./errors.ts";

/** The number `digits` × 10^`exponent`. `digits` has no trailing zeros. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

const MAX_DIGITS = 38;
/** The range that DynamoDB can store, as powers of ten of the first digit. */
const MAX_MAGNITUDE = 125;
const MIN_MAGNITUDE = -130;
/** The maximum length of a number, in characters. Limits the time that `BigInt` needs to parse it. */
const MAX_TEXT = 1_000;

function parse(text: string): Decimal {
  const match = text.length <= MAX_TEXT && /^([+-]?)(?=\.?\d)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) {
    throw invalid("The parameter cannot be converted to a numeric value: it is not a number");
  }
  const [, sign, whole = "", fraction = "", power = "0"] = match;
  const digits = `${whole}${fraction}`.replace(/0+$/, "");
  const exponent = Number(power) - fraction.length + (whole.length + fraction.length - digits.length);
  return checked({ digits: BigInt(`${sign === "-" ? "-" : ""}${digits || "0"}`), exponent });
}

/** Returns the number. @throws DynamoDbError if DynamoDB can't store it */
function checked({ digits, exponent }: Decimal): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const { length } = String(digits).replace("-", "");
  if (length > MAX_DIGITS) {
    throw invalid("Attempting to store more than 38 significant digits in a Number");
  }
  const magnitude = length - 1 + exponent;
  if (magnitude > MAX_MAGNITUDE) {
    throw invalid("Number overflow. Attempting to store a number with magnitude larger than supported range");
  }
  if (magnitude < MIN_MAGNITUDE) {
    throw invalid(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range",
    );
  }
  return { digits, exponent };
}

function format({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? "-" : "";
  const text = String(digits).replace("-", "");
  if (exponent >= 0) return `${sign}${text}${"0".repeat(exponent)}`;
  const padded = text.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** A number as DynamoDB returns it: without an exponent, and without leading or trailing zeros. */
export const normalizeNumber = (text: string): string => format(parse(text));

/** Both numbers as integers that are multiplied by the same power of ten, `exponent`. */
function align(one: string, other: string): { left: bigint; right: bigint; exponent: number } {
  const [a, b] = [parse(one), parse(other)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return { left: scaled(a), right: scaled(b), exponent };
}

export function addNumbers(one: string, other: string): string {
  const { left, right, exponent } = align(one, other);
  return normalizeNumber(`${left + right}e${exponent}`);
}

export const negateNumber = (text: string): string => {
  const { digits, exponent } = parse(text);
  return format({ digits: -digits, exponent });
};

/** -1, 0 or 1, as for `Array.sort`. */
export function compareNumbers(one: string, other: string): number {
  const { left, right } = align(one, other);
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * The size of a normalized number in bytes, as DynamoDB counts it: 1, plus 1 per two digits, plus 1 if it is negative.
 */
export function numberSize(text: string): number {
  const digits = text.replace(/[-.]/g, "").replace(/^0+|0+$/g, "").length;
  return 1 + Math.ceil(digits / 2) + (text.startsWith("-") ? 1 : 0);
}
