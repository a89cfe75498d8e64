import { operationPath } from '../contenders/api.ts';
import type { Bench } from '../contenders/contender.ts';
import type { Platform } from '../contenders/platform.ts';
import { startLoadGenerator } from '../load/load.ts';
import { type Measured, measure } from '../measure/measure.ts';
import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import { tell } from '../output.ts';
import type { Findings } from '../run-command.ts';
import { type HeldConnections, head, type SocketKind, startAttack } from './attack.ts';
import { loadText, newCallers, othersLoad, usesText } from './callers.ts';

const REQUIRED = { p99Ms: 150, larger: 1.5 };
const SERVERS = new Set(['mongod', 'nats-server']);
const WARM_UP_SECONDS = 10;
const GREEDY_MEMBERS = 4;
/** A history larger than the kernel's buffers of a socket. */
const LARGE_REVISIONS = 40;
const LARGE_BYTES = 200_000;
/** Together these answers exceed the buffers, too. */
const LARGE_ANSWERS = 8;
const PIPELINED = 64;
const TINY_CHUNKS = 20;
/** Allowed before a request (RFC 9112, section 2.2): on an unread socket, only a write detects that it was closed. */
const NOTHING = '\r\n';

const PUSH = operationPath('record_store.push_record');
const GET = operationPath('record_store.get_record');

/** Thousands of hostile sockets, while a well-behaved Workspace makes 50 calls a second. */
export async function hostileSockets(
  platform: Platform,
  { seconds, sockets }: { readonly seconds: number; readonly sockets: number },
  { stops }: Bench,
): Promise<Findings> {
  const load = await othersLoad(platform, seconds);
  const [greedy, tokens] = await newCallers(platform, GREEDY_MEMBERS);
  // The history takes memory by itself, so it is stored before the undisturbed measurement.
  const record = await greedy.newRecord({});
  for (let revision = 0; revision < LARGE_REVISIONS; revision++) {
    const payload = { revision, text: 'x'.repeat(LARGE_BYTES) };
    await greedy.call('record_store.replace_record', { ...record, payload });
  }
  const body = JSON.stringify(record);
  const history = head(
    'POST',
    operationPath('record_store.get_record_history'),
    `Content-Length: ${body.length}`,
  );

  const generator = startLoadGenerator(stops);
  await generator({ ...load, seconds: WARM_UP_SECONDS });
  tell('  undisturbed …');
  const undisturbed = await measure(platform, load, generator);
  const attackers = {
    'forged tokens': {
      tokens: Array.from({ length: sockets }, () => forged(greedy.token)),
      large: head('GET', '/api/v1/openapi.json', 'Content-Length: 0'),
    },
    'one greedy Workspace': { tokens, large: `${history}${body}` },
  };
  const requirements: Requirement[] = [];
  const lines = [
    loadText('undisturbed', undisturbed.load),
    usesText('undisturbed', undisturbed.uses, seconds),
  ];
  const measured: Record<string, object> = { undisturbed };
  for (const [who, { tokens, large }] of Object.entries(attackers)) {
    tell(`  ${who} …`);
    const kinds = socketKinds(large, sockets);
    const attack = { origin: platform.origin, kinds, tokens };
    const end = await startAttack(attack, stops);
    tell('  … all sockets opened');
    const during = await measure(platform, load, generator);
    const held = await end();
    measured[who] = { ...during, sockets: held };
    requirements.push(...requirementsOf(who, undisturbed, during), attacked(who, held, sockets));
    lines.push(loadText(who, during.load), usesText(who, during.uses, seconds));
    lines.push(`  ${who}: sockets ${JSON.stringify(held)}`);
  }
  return { requirements, text: lines.join('\n'), measured };
}

function requirementsOf(who: string, before: Measured, { load: calls, uses }: Measured): Requirement[] {
  const memory = (what: string, names: readonly string[]) => {
    const ratios = names.map((name) => ({ name, ratio: uses[name]!.peakMB / before.uses[name]!.peakMB }));
    const { name, ratio } = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]!;
    const detail = `(${name}, ${uses[name]!.peakMB.toFixed(0)} MB)`;
    return atMost(`${who}: memory of ${what}`, REQUIRED.larger, ratio, '× undisturbed', detail);
  };
  const services = Object.keys(uses).filter((name) => name !== 'gateway' && !SERVERS.has(name));
  return [
    atMost(
      `${who}: calls of the others that fail`,
      0,
      calls.attempts - calls.calls,
      '',
      `of ${calls.attempts}`,
    ),
    atMost(`${who}: their p99`, REQUIRED.p99Ms, calls.ms.p99, 'ms'),
    memory('the gateway', ['gateway']),
    memory('every service behind it', services),
  ];
}

/** Requires that the attacker opened as many sockets of each kind as it should: without an attack nobody is disturbed. */
export function attacked(who: string, held: HeldConnections, sockets: number): Requirement {
  const [kind, { opened }] = Object.entries(held).toSorted(([, a], [, b]) => a.opened - b.opened)[0]!;
  return atLeast(`${who}: opened sockets of each kind`, sockets, opened, '', `(${kind})`);
}

/** Every kind. @param large a request with a large answer. */
function socketKinds(large: string, count: number): SocketKind[] {
  const body = head('POST', PUSH, 'Content-Length: 1000');
  const chunk = '1\r\n \r\n';
  const small = `${head('POST', GET, 'Content-Length: 2')}{}`;
  return [
    { name: 'no body', count, first: body },
    { name: 'slow body', count, first: body, again: ' ' },
    {
      name: '1-byte chunks',
      count,
      first: head('POST', PUSH, 'Transfer-Encoding: chunked'),
      again: chunk.repeat(TINY_CHUNKS),
    },
    { name: 'no reading', count, first: large.repeat(LARGE_ANSWERS), again: NOTHING, leavesUnread: true },
    { name: 'half a head', count, first: body.slice(0, -20) },
    { name: 'pipelined', count, first: small.repeat(PIPELINED), again: NOTHING, leavesUnread: true },
  ];
}

/** This token with another signature. */
function forged(token: string): string {
  const signature = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString('base64url');
  return `${token.slice(0, token.lastIndexOf('.'))}.${signature}`;
}
