import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@action-platform/testing';
import { describe } from '@jest/globals';
import { type GraphMember, graphMember } from '../../test-support/graph/graph-member.ts';
import { GraphStandIn } from '../../test-support/graph/graph-stand-in.ts';
import { type FaultyCall, faultyCalls, type GraphFault } from '../../test-support/graph/stand-in-faults.ts';
import {
  type FaultySystem,
  killedAtStepsSuite,
  type Step,
} from '../../test-support/killed-at-steps.suite.ts';
import { FILTER_LAG_MS } from './graph-provider.ts';

/** Faults of the next calls, and how long the filter does not find a message that they make. */
type Faults = Partial<Record<FaultyCall, readonly GraphFault[]>> & { readonly lagMs?: number };

const never: Faults = { create: [{ cut: 'before' }] };
const beforeTheAnswer: Faults = { create: [{ swallow: 'after' }] };
const afterTheAnswer: Faults = { create: [{ delayMs: 0 }] };
const hidden = { lagMs: FILTER_LAG_MS };

const steps: readonly Step<Faults>[] = [
  ['before it has a token', { token: [{ swallow: 'before' }] }],
  ['before the message', { create: [{ swallow: 'before' }] }],
  ['before the message, which arrives', { create: [{ swallow: 'late' }] }],
  ['before the answer', beforeTheAnswer],
  ['before the answer, with a hidden draft', { ...beforeTheAnswer, ...hidden }],
  // The process stores the outcome then.
  ['after the answer', afterTheAnswer],
  ['in the search of a retry', never, { search: [{ swallow: 'before' }] }],
  ['after a search that found the draft', { create: [{ cut: 'after' }] }, { search: [{ delayMs: 0 }] }],
  ['before the message of a retry', never, { create: [{ swallow: 'before' }] }],
  ['before the answer to a retry', never, beforeTheAnswer],
  ['before the answer to a retry, with a hidden draft', never, { ...beforeTheAnswer, ...hidden }],
  ['in the search after a retry', never, { search: [{ delayMs: 0 }, { swallow: 'before' }] }],
  [
    'in the search after a retry, with a hidden draft',
    never,
    { search: [{ delayMs: 0 }, { swallow: 'before' }], ...hidden },
  ],
];

/** The stand-in, which the processes of the service trust. */
function graphWithFaults(): FaultySystem<Faults, GraphMember> {
  const authorityFile = join(makeTestFolder(), 'authority.pem');
  let graph: GraphStandIn;
  return {
    start: async () => {
      graph = await GraphStandIn.start();
      writeFileSync(authorityFile, graph.authority);
    },
    stop: () => graph.stop(),
    environment: { NODE_EXTRA_CA_CERTS: authorityFile },
    member: (mail) => graphMember(mail, graph),
    plan: ({ lagMs = 0, ...faults } = {}) => {
      graph.lagMs = lagMs;
      graph.faults.clear();
      // Otherwise the process has a token of the sign-in.
      if ('token' in faults) graph.tokens.revokeTokens();
      for (const call of faultyCalls) graph.faults.plan(call, ...(faults[call] ?? []));
    },
    get hasStruck() {
      return graph.faults.areTaken;
    },
    get struck() {
      return graph.faults.taken;
    },
    deliver: async () => graph.deliverLate(),
    drafts: async ({ mailbox: { messages } }) => ({
      count: messages.length,
      areFound: messages.every(({ foundFrom }) => foundFrom <= performance.now()),
    }),
    pass: ({ mailbox: { messages } }) => {
      for (const message of messages) message.foundFrom = 0;
    },
  };
}

describe('a draft in a mailbox of Microsoft 365', () => killedAtStepsSuite(graphWithFaults(), steps));
