import type { ProxyFault } from '../../test-support/faulty-proxy.ts';
import { type BehindProxy, ImapBehindProxy } from '../../test-support/imap-behind-proxy.ts';
import {
  type FaultySystem,
  killedAtStepsSuite,
  type Step,
} from '../../test-support/killed-at-steps.suite.ts';
import { describeOnDovecot } from '../../test-support/test-dovecot.ts';

const inTheMessage: ProxyFault = { from: 'client', after: 'APPEND', bytes: 200, kind: 'cut' };
const beforeTheAnswer: ProxyFault = { from: 'server', after: '[APPENDUID', kind: 'swallow' };
const afterTheAnswer: ProxyFault = { ...beforeTheAnswer, kind: 'pass' };

const steps: readonly Step<ProxyFault>[] = [
  ['before it signs in', { from: 'client', after: '', kind: 'swallow' }],
  ['before the message', { from: 'client', after: 'APPEND', kind: 'swallow' }],
  ['in the message', { ...inTheMessage, kind: 'swallow' }],
  ['in the message, which arrives', { ...inTheMessage, kind: 'late' }],
  ['before the answer', beforeTheAnswer],
  // The process stores the outcome then.
  ['after the answer', afterTheAnswer],
  ['in the search of a retry', inTheMessage, { from: 'client', after: 'SEARCH', kind: 'swallow' }],
  [
    'after a search that found the draft',
    { ...beforeTheAnswer, kind: 'cut' },
    { from: 'server', after: '* SEARCH', kind: 'pass' },
  ],
  ['in the message of a retry', inTheMessage, { ...inTheMessage, kind: 'swallow' }],
  ['before the answer to a retry', inTheMessage, beforeTheAnswer],
  // The process looks again then.
  ['after the answer to a retry', inTheMessage, afterTheAnswer],
];

/** Dovecot behind a proxy with faults. */
function dovecotWithFaults(): FaultySystem<ProxyFault, BehindProxy> {
  const mailboxes = new ImapBehindProxy();
  return {
    start: () => mailboxes.start(),
    stop: () => mailboxes.stop(),
    member: (mail) => mailboxes.member(mail),
    plan: (fault) => mailboxes.proxy.plan(fault),
    get hasStruck() {
      return mailboxes.proxy.hasStruck;
    },
    get struck() {
      return mailboxes.proxy.struck;
    },
    deliver: () => mailboxes.proxy.deliver(),
    drafts: async ({ login }) => ({
      count: (await mailboxes.dovecot.messages(login)).length,
      areFound: true,
    }),
  };
}

describeOnDovecot('a draft in an IMAP mailbox', () => killedAtStepsSuite(dovecotWithFaults(), steps));
