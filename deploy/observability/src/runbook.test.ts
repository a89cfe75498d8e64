import { readFileSync } from 'node:fs';
import { errorCatalogue } from '@action-platform/contracts';
import { describe, expect, test } from '@jest/globals';
import { alerts } from './rules/alerts.ts';

const text = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');

/** What every entry says, in this order. */
const QUESTIONS = ['Means', 'Affected', 'Confirm', 'Do', 'Over'];

/** The entries by their titles, each with what stands below it. */
function entriesOf(section: string): Map<string, string> {
  const body = text.split(/^## /m).find((part) => part.startsWith(`${section}\n`))!;
  const entries = body.split(/^### /m).slice(1);
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('\n')), entry]));
}

const sections = {
  Alerts: alerts.map(({ alert }) => alert),
  Codes: Object.entries(errorCatalogue)
    .filter(([, { status }]) => status >= 500)
    .map(([code]) => code),
};

describe('the runbook', () => {
  test.each(Object.entries(sections))('has an entry for each of: %s', (section, expected) => {
    expect([...entriesOf(section).keys()].toSorted()).toEqual(expected.toSorted());
  });

  const all = ['Alerts', 'Codes', 'Known ways to fail'].flatMap((section) => [...entriesOf(section)]);
  test.each(all)(
    'says of %s what it means, whom it affects, how to confirm it, what to do and when it is over',
    (_, entry) => {
      const asked = [...entry.matchAll(/^- \*\*(\w+)\*\*: \S/gm)].map(([, question]) => question);
      expect(asked).toEqual(QUESTIONS);
    },
  );
});
