/**
 * Joins the written items or members of a JSON array or object, none of which is empty.
 *
 * Adding strings only links them, where `join` would copy everything again on each level of a nested value.
 */
export function commaSeparated(parts: Iterable<string>): string {
  let joined = '';
  for (const part of parts) joined += joined === '' ? part : `,${part}`;
  return joined;
}
