/** The entries of a list with commas. */
export function listOf(text: string): string[] {
  return text.split(',').filter((entry) => entry !== '');
}

/** The entries of a list with commas; all of `known` for an empty list. @throws Error that lists them when one is unknown. */
export function chosenOf(text: string, known: readonly string[]): readonly string[] {
  const names = listOf(text);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown name ${unknown}; known: ${known.join(', ')}.`);
  return names.length === 0 ? known : names;
}
