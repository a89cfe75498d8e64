import type { DraftMessage } from '../messages/rfc5322.ts';

const addresses = (letter: string) =>
  Array.from({ length: 20 }, (_, i) => `${letter.repeat(60)}${i}@${'b.'.repeat(85)}example.com`);

/** The longest message that mail.send_email takes. */
export const largestMessage: DraftMessage = {
  marker: 'f'.repeat(64),
  from: { name: '😀'.repeat(100), address: 'ada@example.com' },
  to: addresses('a'),
  cc: addresses('c'),
  subject: '😀'.repeat(255),
  body: '😀'.repeat(100_000),
  date: new Date(0),
};
