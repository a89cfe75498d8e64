/**
 * The one spelling of a JSON number's exact decimal value: `0`, or an integer without trailing zeros, followed by an
 * exponent unless that is 0. So `1`, `1.0` and `10e-1` are `1`, `-0` is `0`, and `1500` is `15e2`.
 *
 * Works on the digits, never on floating-point numbers, in time and memory linear in the length of the text.
 *
 * @param text a number as RFC 8259, section 6 writes it
 */
export function canonicalNumber(text: string): string {
  const sign = text.startsWith('-') ? '-' : '';
  const exponentMark = text.search(/e/i);
  const mantissaEnd = exponentMark < 0 ? text.length : exponentMark;
  const point = text.indexOf('.');
  const integerEnd = point < 0 ? mantissaEnd : point;
  const fraction = text.slice(integerEnd + 1, mantissaEnd);

  const digits = withoutLeadingZeros(text.slice(sign.length, integerEnd) + fraction);
  if (digits === '') return '0';
  const significant = withoutTrailingZeros(digits);
  const shift = digits.length - significant.length - fraction.length;
  const exponent = addTo(exponentMark < 0 ? '0' : text.slice(exponentMark + 1), shift);
  return sign + significant + (exponent === '0' ? '' : `e${exponent}`);
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits[start] === '0') start++;
  return digits.slice(start);
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** Digits that a JavaScript number holds exactly, with room for the sum of two such numbers. */
const EXACT_DIGITS = 15;

/**
 * Adds to a decimal integer of any length, which BigInt, converting the whole integer, cannot do in linear time.
 *
 * @param integer digits, with a sign or without
 * @param amount a safe integer of at most {@link EXACT_DIGITS} digits
 */
export function addTo(integer: string, amount: number): string {
  const negative = integer.startsWith('-');
  const digits = withoutLeadingZeros(integer.replace(/^[+-]/, ''));
  if (digits.length <= EXACT_DIGITS) return String((negative ? -1 : 1) * Number(digits) + amount);

  const head = digits.slice(0, -EXACT_DIGITS);
  const tail = Number(digits.slice(-EXACT_DIGITS)) + (negative ? -amount : amount);
  const limit = 10 ** EXACT_DIGITS;
  const carry = Math.floor(tail / limit);
  const sum = addOne(head, carry) + String(tail - carry * limit).padStart(EXACT_DIGITS, '0');
  return (negative ? '-' : '') + withoutLeadingZeros(sum);
}

/** Adds 1, 0 or -1 to a positive integer: a run of nines or zeros at the end turns over, and the digit before changes. */
function addOne(digits: string, carry: number): string {
  if (carry === 0) return digits;
  const [turning, turned] = carry > 0 ? ['9', '0'] : ['0', '9'];
  let end = digits.length;
  while (digits[end - 1] === turning) end--;
  const changed = String(Number(digits[end - 1] ?? '0') + carry);
  return digits.slice(0, Math.max(0, end - 1)) + changed + turned.repeat(digits.length - end);
}
