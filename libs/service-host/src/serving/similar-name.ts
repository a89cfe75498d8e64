/** The longest name to compare: longer ones are no typing errors, and comparing them takes time. */
const LONGEST = 50;

/**
 * The known name that an unknown one probably means: the same but for case and what joins its words
 * (`collectionId`, `collection-id`), or a slip or two away (`colection_id`). Undefined when none comes near.
 */
export function similarName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const [nearest] = known
    .map((candidate) => ({ candidate, slips: distance(plain(name), plain(candidate)) }))
    .filter(({ candidate, slips }) => slips <= Math.min(2, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.slips - b.slips);
  return nearest?.candidate;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The edit distance (Levenshtein): how many letters must be added, taken away or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
