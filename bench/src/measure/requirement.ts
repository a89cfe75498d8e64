import { inColumns } from './columns.ts';

/** A requirement on the platform, and the measured value. */
export interface Requirement {
  readonly what: string;
  readonly required: string;
  readonly seen: string;
  readonly isMet: boolean;
}

/** Requires a value of at most this limit. @param detail more about the value, in the text. */
export function atMost(what: string, limit: number, value: number, unit: string, detail = ''): Requirement {
  const isMet = value <= limit;
  return { what, required: `≤ ${rounded(limit)} ${unit}`, seen: `${rounded(value)} ${detail}`, isMet };
}

/** Requires a value of at least this limit. */
export function atLeast(what: string, limit: number, value: number, unit: string, detail = ''): Requirement {
  const isMet = value >= limit;
  return { what, required: `≥ ${rounded(limit)} ${unit}`, seen: `${rounded(value)} ${detail}`, isMet };
}

/** Requirements for a terminal. */
export function requirementsText(title: string, requirements: readonly Requirement[]): string {
  const rows = requirements.map(({ what, required, seen, isMet }) => {
    return [isMet ? 'PASS' : 'MISSED', what, required, seen];
  });
  return ['', title, ...inColumns([['', 'requirement', 'required', 'seen'], ...rows]), ''].join('\n');
}

function rounded(value: number): string {
  return String(Number(value.toFixed(2)));
}
