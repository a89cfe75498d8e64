import { addTo, canonicalNumber } from './canonical-number.ts';

/*
 * Numbers as decimals to the last digit, by their JSON text (RFC 8259, section 6). A double has the decimal value that JavaScript writes.
 */

/** Up to this length a number without an exponent has so few digits that its double has its value. */
const SHORT = 15;

/** Whether the double that is nearest to a number has its decimal value: that of `0.1` has, that of `9007199254740993` has not. */
export function hasDouble(text: string): boolean {
  if (text.length <= SHORT && !/e/i.test(text)) return true;
  return canonicalNumber(text) === canonicalNumber(String(Number(text)));
}

/** Whether a number is an integer: `1.0` and `1e300` are. */
export function isWholeNumber(text: string): boolean {
  return !canonicalNumber(text).includes('e-');
}

/** Compares two numbers: below 0 when the first one is less, 0 when they are equal, above 0 otherwise. */
export function compareNumbers(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)];
  if (first.sign !== second.sign) return first.sign - second.sign;
  const byPlaces = compareIntegers(first.places, second.places);
  return first.sign * (byPlaces || compareTexts(first.digits, second.digits));
}

/** The sign, the significant digits, and the number of places before the point: an integer of any length. */
function partsOf(text: string) {
  const [mantissa = '', exponent = '0'] = canonicalNumber(text).split('e');
  if (mantissa === '0') return { sign: 0, digits: '', places: '0' };
  const digits = mantissa.replace('-', '');
  return { sign: mantissa === digits ? 1 : -1, digits, places: addTo(exponent, digits.length) };
}

function compareIntegers(one: string, other: string): number {
  const [isNegative, isOtherNegative] = [one.startsWith('-'), other.startsWith('-')];
  if (isNegative !== isOtherNegative) return isNegative ? -1 : 1;
  const byDigits = one.length - other.length || compareTexts(one, other);
  return isNegative ? -byDigits : byDigits;
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
