/** JSON texts that are hard work for their size; lengths are in bytes and about so. */

/** An object of members as small as can be, each with this value. */
export function tinyMembers(bytes: number, value = '1'): string {
  const members: string[] = [];
  for (let length = 2; ; ) {
    const member = `"${members.length.toString(36)}":${value}`;
    length += member.length + 1;
    if (length > bytes) return `{${members.join()}}`;
    members.push(member);
  }
}

/** The deepest value of so many levels. */
export function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

/** An object of values as deep as can be, `levels` with its own. */
export function nestedMembers(bytes: number, levels: number): string {
  return tinyMembers(bytes, nested(levels - 1));
}

/** What stands in a string for so many characters: each takes two code units, written as escapes of 12 bytes together. */
export function escaped(characters: number): string {
  return '\\ud83d\\ude00'.repeat(characters);
}

/** One string of nothing but escapes. */
export function escapes(bytes: number): string {
  return `"${escaped(Math.floor((bytes - 2) / 12))}"`;
}

/** An array of numbers of so many digits each. */
export function numbers(bytes: number, digits: number): string {
  const number = `${'1234567890'.repeat(Math.ceil(digits / 10)).slice(0, digits)}.50e+07`;
  return `[${Array(Math.floor((bytes - 2) / (number.length + 1)))
    .fill(number)
    .join()}]`;
}

/** An array of arrays of nothing. */
export function emptyArrays(bytes: number): string {
  return `[${Array(Math.floor((bytes - 2) / 3))
    .fill('[]')
    .join()}]`;
}
