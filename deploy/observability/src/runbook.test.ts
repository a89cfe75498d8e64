import { readFileSync } from 'node:fs';
import { errorCatalogue } from '@action-platform/contracts/errors';
import { describe, expect, test } from '@jest/globals';
import { alerts } from './queries.ts';

const text = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');

/** The points of every entry, in this order. */
const QUESTIONS = ['Run', 'Means', 'Do', 'Over'];

/** The entries of a section by their titles. */
function entriesOf(section: string): Map<string, string> {
  const body = text.split(/^## /m).find((part) => part.startsWith(`${section}\n`))!;
  const entries = body.split(/^### /m).slice(1);
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('\n')), entry]));
}

const sections = {
  Alerts: alerts,
  'Error codes': Object.entries(errorCatalogue)
    .filter(([, { status }]) => status >= 500)
    .map(([code]) => code),
};

describe('the runbook', () => {
  test.each(Object.entries(sections))('has an entry for each of: %s', (section, expected) => {
    expect([...entriesOf(section).keys()].toSorted()).toEqual(expected.toSorted());
  });

  test('fits a terminal of 120 columns, but for its tables', () => {
    const lines = text.split('\n').filter((line) => !line.startsWith('|'));
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  const all = ['Alerts', 'Error codes', 'Failure modes'].flatMap((section) => [...entriesOf(section)]);
  test.each(all)('has all points for %s', (_, entry) => {
    const asked = [...entry.matchAll(/^- \*\*(\w+)\*\*: \S/gm)].map(([, question]) => question);
    expect(asked).toEqual(QUESTIONS);
  });

  test.each(all)('begins with a command, and the output that names the cause, for %s', (_, entry) => {
    const [, first] = entry.split('\n\n');
    expect(first).toMatch(
      /^- \*\*Run\*\*: `(admin|curl|df|kubectl|logs|mongosh|openssl|top)\b[^`]*`\s+→\s+\S/,
    );
  });
});
