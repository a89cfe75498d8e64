/**
 * Compares texts by their UTF-8 bytes, that is by code points, as MongoDB and S3 sort them: negative when the first comes first.
 * `compareByBytes` allocates no memory, as bytes in a Buffer would.
 */
export function compareByBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const [unit, otherUnit] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (unit !== otherUnit) return rank(unit) - rank(otherUnit);
  }
  return one.length - other.length;
}

/** Surrogates, which stand for code points beyond U+FFFF, come after all other units of UTF-16. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
