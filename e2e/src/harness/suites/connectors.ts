import { setTimeout as delay } from 'node:timers/promises';
import { approvalRoutes, connectorRoutes, customOperationRoutes } from '@action-platform/contracts/resources';
import { startBalancer } from '@action-platform/testing';
import { LocalPlatform, twoOf } from '../../local-platform.ts';
import { endWith, say } from '../../on-a-stack.ts';
import { type CalledOrder, checkPayments, type Kind, kinds } from '../checkers/payments.ts';
import { killAtRandom, victims } from '../faults/processes.ts';
import { report, type Suite } from '../run.ts';
import { newWorkspace } from '../workload/make-fixture.ts';
import { type Answered, operation, Session } from '../workload/session.ts';
import { hangBesideGets } from './hang-beside-gets.ts';
import { Payments, TIMEOUT_MS } from './payments.ts';

const CLIENTS = 12;
/** How often a call that may have been sent once is repeated. */
const REPETITIONS = 4;
const limits = {
  WORKSPACE_CUSTOM_WRITES_PER_DAY_MAX: '1000000',
  CALLER_PENDING_APPROVALS_MAX: '1000',
  WORKSPACE_PENDING_APPROVALS_MAX: '1000',
};

/** Pays orders by connectors while every process is killed, some after an approval, and calls beside connectors that hang. */
export const connectors: Suite = {
  options: {
    writes: ['1000', 'by each connector: sent once, with keys, and of an MCP server'],
    kills: ['2', 'of each process'],
    hanging: ['20', 'connectors beside which others call'],
    rounds: ['4', 'of calls alone and beside these'],
  },
  run: async ({ writes, kills, hanging, rounds, seed }) => {
    const platform = new LocalPlatform(twoOf('gateway', 'grants', 'custom-operations'), limits);
    return await endWith(platform, async () => {
      await platform.start();
      const beside = await hangBesideGets(platform, { hanging: Number(hanging), rounds: Number(rounds) });
      const sizes = { writes: Number(writes), kills: Number(kills) * victims.length, seed: Number(seed) };
      return report([...beside, ...(await payWhileKilled(platform, sizes))]);
    });
  },
};

/** Registers an operation of each kind, and holds a fifth of their calls. */
async function register(session: Session, fresh: () => Promise<string>, payments: Payments): Promise<void> {
  for (const kind of kinds) {
    const path = connectorRoutes.put.path.replace('{name}', kind);
    const connector = {
      kind: kind === 'tool' ? 'mcp' : 'http',
      baseUrl: payments.urlOf(kind),
      auth: { type: 'bearer', secret: 'a-secret-of-a-suite' },
      ...(kind === 'keyed' && { idempotencyHeader: 'Idempotency-Key' }),
    };
    await session.json('PUT', path, connector, await fresh());
    const { tools } = kind === 'tool' ? await session.json('GET', `${path}/tools`) : { tools: [] };
    const how = kind === 'tool' ? { tool: 'pay', digest: tools[0].digest } : { method: 'post', path: '/pay' };
    await session.json('PUT', customOperationRoutes.put.path.replace('{id}', idOf(kind)), {
      ...{ title: 'Pay an order', description: 'Pays an order.', effect: 'write' },
      ...{ availability: 'workspace_member', timeoutMs: TIMEOUT_MS, target: { connector: kind, ...how } },
      inputSchema: {
        ...{ type: 'object', additionalProperties: false, required: ['order'] },
        properties: { order: { type: 'string' } },
      },
    });
  }
  const when = [{ field: '/order', is: 'ends_with', value: ['0', '5'] }];
  const rules = [{ operations: kinds.map(idOf), when }];
  await session.json('PUT', approvalRoutes.setRules.path, { revision: 0, rules }, await fresh());
}

const callOf = (kind: Kind, order: string) =>
  operation(idOf(kind), { order, idempotency_key: order }, () => ({}));

const idOf = (kind: Kind) => `custom.pay_${kind}`;

async function payWhileKilled(
  platform: LocalPlatform,
  { writes, kills, seed }: { readonly writes: number; readonly kills: number; readonly seed: number },
): Promise<string[]> {
  const balancer = await startBalancer(platform.gateways);
  const { workspace, owners } = await newWorkspace(platform);
  const [{ user, token }] = owners;
  const fresh = () => platform.operator.freshToken(workspace, user);
  const payments = await Payments.start();
  const session = new Session(balancer.url, token, { connections: CLIENTS });
  await register(session, fresh, payments);
  const approve = async (id: string) => {
    const path = approvalRoutes.decide.path.replace('{id}', id);
    await session.ask({ path, input: { decision: 'approve' }, token: await fresh(), read: () => ({}) });
  };
  const called: CalledOrder[] = [];
  let next = 0;
  let isKilled = false;
  const client = async () => {
    const own = new Session(balancer.url, token, { approve });
    // Orders go on until every process was killed as often as it should be.
    while (next < writes * kinds.length || !isKilled) {
      const number = next++;
      const [kind, order] = [kinds[number % kinds.length]!, `order-${Math.floor(number / kinds.length)}`];
      // Of some orders two equal calls are made at once.
      const calls = Array.from({ length: number % 8 === 0 ? 2 : 1 }, () => pay(own, kind, order));
      called.push({ kind, order, answers: await Promise.all(calls) });
    }
    own.close();
  };
  const killing = killAtRandom(platform, {
    ...{ among: victims, inTurn: true, seed },
    isEnough: (count) => count >= kills,
  }).then(() => {
    isKilled = true;
  });
  await Promise.all([killing, ...Array.from({ length: CLIENTS }, client)]);
  await platform.ready();
  const inDoubt = called.filter(({ kind, answers }) => kind !== 'keyed' && !answers.some(isDone));
  // A repetition of what may have been sent sends nothing, also later.
  await Promise.all(inDoubt.map(({ kind, order }) => session.ask(callOf(kind, order), true)));
  say(
    `${called.length} orders, ${inDoubt.length} of them in doubt, ${called.filter(isHeld).length} after an approval`,
  );
  session.close();
  payments.stop();
  await balancer.close();
  return [...checkPayments(called, payments.paid)];
}

const isDone = ({ outcome }: Answered) => outcome.is === 'done';
const isHeld = ({ answers }: CalledOrder) =>
  answers.some(({ attempts }) => attempts.some(({ approvalId }) => approvalId !== undefined));

/** Calls an operation, with the same key until its outcome is known; a call that is sent once a few times. */
async function pay(session: Session, kind: Kind, order: string): Promise<Answered> {
  const request = callOf(kind, order);
  if (kind === 'keyed') return await session.ask(request);
  let answered = await session.ask(request, true);
  for (let again = 0; again < REPETITIONS && answered.outcome.is !== 'done'; again++) {
    await delay(TIMEOUT_MS / 2);
    const repeated = await session.ask(request, true);
    answered = { ...repeated, attempts: [...answered.attempts, ...repeated.attempts] };
  }
  return answered;
}
