import { call, type HardRequest, MAX_BODY } from './hard-request.ts';
import { escaped, escapes, tinyMembers } from './json-texts.ts';

/** An address of the most characters that the pattern of addresses goes far with. */
const address = (index: number) => `${'a'.repeat(60)}${index}@${'b.'.repeat(90)}example.com`;
const notAnAddress = `${'a.'.repeat(120)}@${'b-'.repeat(60)}`;

/** Calls of every other operation, as large as can be, valid and not. */
export function otherRequests(): readonly HardRequest[] {
  const addresses = (from: number) => Array.from({ length: 20 }, (_, index) => address(from + index));
  const email = (to: readonly string[], cc: readonly string[], body: string) =>
    `{"to":${JSON.stringify(to)},"cc":${JSON.stringify(cc)},"subject":"${escaped(255)}","body":"${body}","idempotency_key":"${escaped(200)}"}`;
  const procedure = (slug: string, markdown: string) =>
    `{"slug":"${slug}","title":"${escaped(200)}","description":"${escaped(2000)}","markdown":${markdown}}`;
  return [
    call('mail.send_email', 'largest', email(addresses(10), addresses(40), escaped(100_000))),
    call('mail.send_email', 'largest in place', email(addresses(10), addresses(40), 'é'.repeat(5_000)), 4),
    call('mail.send_email', 'no addresses', email(Array(20).fill(notAnAddress), [], 'x'), 4),
    call('mail.send_email', 'line breaks', email(addresses(10), [], '\\r\\n'.repeat(50_000)), 2),
    call('mail.send_email', 'too large', email(addresses(10), [], escaped(150_000))),
    call('mail.list_send_history', 'all of it', '{}', 8),
    call('mail.list_authorized_senders', 'all', '{}', 4),
    call('procedures.create_draft', 'largest', procedure('largest', escapes(MAX_BODY - 30_000))),
    call('procedures.create_draft', 'largest plain', procedure('plain', `"${'x'.repeat(200_000)}"`), 2),
    call('procedures.create_draft', 'too long', procedure('long', `"${'x'.repeat(400_001)}"`)),
    call('procedures.create_draft', 'hyphens', procedure('a-'.repeat(50), '"x"'), 4),
    call('procedures.create_draft', 'tiny members', tinyMembers(MAX_BODY - 10)),
    call('knowledge.list_visible_files', 'all', '{}', 8),
    call('knowledge.list_visible_files', 'tiny members', tinyMembers(64_000), 4),
    call('x'.repeat(2000), 'an unknown operation', '{}', 4),
  ];
}
