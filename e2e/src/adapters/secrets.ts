import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every secret of a test begins with this text. */
const PREFIX = 'SECRET-';

/** A text that each kind of evidence has when the run has kept it. */
const expected = {
  databases: 'mac_',
  logs: '"service":"mail"',
  answers: 'drf_',
  spans: 'mail create_draft',
} as const;

/** The result of a scan. */
interface Scan {
  /** A line for people about each kind of evidence. */
  readonly lines: readonly string[];
  readonly isClean: boolean;
}

/**
 * Looks for secrets in what a run has kept, a file for each kind.
 *
 * @param isWhole whether the run had every test, so that evidence of every kind must be there.
 */
export function scanForSecrets(folder: string, isWhole: boolean): Scan {
  const scans = Object.entries(expected).map(([kind, text]) => {
    const file = join(folder, kind);
    const kept = existsSync(file) ? readFileSync(file, 'latin1') : '';
    if (isWhole && !kept.includes(text)) return { line: `${kind}: not kept`, isClean: false };
    const found = findSecret(kept);
    const size = `${kind}: ${(kept.length / 2 ** 20).toFixed(1)} MiB`;
    return {
      line: found === undefined ? `${size}, no secret` : `${size}, a secret: ${found}`,
      isClean: found === undefined,
    };
  });
  return { lines: scans.map(({ line }) => line), isClean: scans.every(({ isClean }) => isClean) };
}

/** The first secret of a text with its surroundings, as it is, in hexadecimal digits or in base64. */
function findSecret(text: string): string | undefined {
  const found = anySecret.exec(text);
  return found === null ? undefined : text.slice(Math.max(0, found.index - 80), found.index + 80);
}

const hex = Buffer.from(PREFIX).toString('hex');
const anySecret = new RegExp([PREFIX, hex, hex.toUpperCase(), ...inBase64()].join('|'));

/** The prefix in base64, at each place in the three bytes of a group, without the digits that its neighbours change. */
function inBase64(): string[] {
  return [0, 1, 2].map((before) => {
    const digits = Buffer.from(`${'x'.repeat(before)}${PREFIX}`).toString('base64url');
    const wholeDigits = Math.floor(((before + PREFIX.length) * 8) / 6);
    return digits.slice(Math.ceil((before * 8) / 6), wholeDigits);
  });
}
