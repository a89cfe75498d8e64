import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { slack, teams } from '../../test-support/chats.ts';
import { DESCRIBED_MAX, messageBody } from './forms.ts';

const chats = { slack, teams };
const names = fc.string({
  unit: fc.constantFrom('a', 'é', '<', '>', '&', '*', '|', '@', '!', '[', ']', '(', '\n', '😀'),
  maxLength: 100,
});
const notice = fc.record({
  title: fc.constant('A call waits for a decision'),
  facts: fc.array(fc.tuple(fc.constantFrom('Action', 'Caller'), names), { maxLength: 4 }),
  page: fc.constant('https://platform.example.com/console/approvals/apv_1'),
});

test.each(['slack', 'teams'] as const)(
  '%s takes a message whatever names it has, and it begins with how many events it is for',
  (form) => {
    fc.assert(
      fc.property(
        fc.array(notice, { minLength: 1, maxLength: DESCRIBED_MAX }),
        fc.nat(1000),
        (notices, more) => {
          const count = notices.length + more;
          const body = messageBody(form, notices, count);
          expect(chats[form]('application/json', body).status).toBeLessThan(300);
          const { text, attachments } = JSON.parse(body);
          const first = text ?? attachments[0].content.body[0].inlines[0].text;
          expect(first.startsWith(count === 1 ? notices[0]!.title : `${count} events`)).toBe(true);
        },
      ),
    );
  },
);
