/** No duration becomes shorter than this, in seconds: a rate needs several samples. */
const SHORTEST = 10;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The text of a rules file with every window, offset and `for` divided by a factor, but not below ten seconds. */
export function shortened(rules: string, times: number): string {
  return rules.replaceAll(
    /(?<=\[|\bfor: |\boffset )(\d+)([smhd])\b/g,
    (_all, count: string, unit: string) => {
      const seconds = Number(count) * UNITS[unit]!;
      return `${Math.min(seconds, Math.max(SHORTEST, Math.round(seconds / times)))}s`;
    },
  );
}
