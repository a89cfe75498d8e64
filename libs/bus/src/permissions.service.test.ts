import {
  AUDIT,
  inboxPrefix,
  logLevelEvent,
  replicaSubject,
  streamSubject,
} from '@action-platform/contracts/bus';
import { authorize, knownMembers, removeMember } from '@action-platform/contracts/calls';
import type { BusUser } from '@action-platform/contracts/services';
import { describe, expect, test } from '@jest/globals';
import { headers as createHeaders } from '@nats-io/transport-node';
import { chunks, failures, ok, subject, TestConnections, text } from './test-support/test-connections.ts';

const buses = new TestConnections();
const connect = buses.connect.bind(buses);

describe('permissions', () => {
  test('do not extend to an answer that names another subject for its credits', async () => {
    const [gateway, grants] = [await connect('gateway'), await connect('grants')];
    const misled: string[] = [];
    grants.serve(removeMember.subject, 'grants', async () => {
      misled.push('ran');
      return ok('');
    });
    const headers = createHeaders();
    headers.set('status', '200');
    headers.set('more', 'true');
    headers.set('chunk', '0');
    const replies = [
      ...[removeMember.subject, subject, '$SYS.REQ.SERVER.PING', '$JS.API.INFO', ''],
      ...['grants', 'gateway'].map((user) => `${inboxPrefix(user as BusUser)}.x.0`),
      ...['>', 'x'.repeat(3_940)].map((rest) => `${inboxPrefix('record-store')}.${rest}`),
    ];
    await buses.hangingReplica((message) => {
      message.respond('first', { reply: replies[Number(message.string())]!, headers });
    });
    const overheard = await buses.connectRaw('grants');
    overheard.subscribe(`${inboxPrefix('grants')}.>`, { callback: () => void misled.push('heard') });
    await Promise.all([grants.flush(), overheard.flush()]);
    for (const index of replies.keys())
      for (const [effect, code] of failures) {
        const request = gateway.request(subject, String(index), { timeoutMs: 5000, effect });
        await expect(request).rejects.toMatchObject({ code });
      }
    await gateway.flush();
    await Promise.all([grants.flush(), overheard.flush()]);
    expect(misled).toEqual([]);
  });

  test('do not extend to a request with the reply subject of another process', async () => {
    const [grants, rogue] = [await connect('grants'), await buses.connectRaw('procedures')];
    const asked: string[] = [];
    grants.serve(knownMembers.subject, 'grants', async (request) => {
      asked.push(text(request.body));
      return ok('{}');
    });
    await grants.flush();
    const waiting = ['gateway', 'grants', 'admin'] as const;
    for (const user of waiting) {
      rogue.publish(knownMembers.subject, user, { reply: `${inboxPrefix(user)}.x.0` });
    }
    const tooLong = `${inboxPrefix('procedures')}.${'x'.repeat(3_900)}.0`;
    rogue.publish(knownMembers.subject, 'too long', { reply: tooLong });
    await rogue.request(knownMembers.subject, 'its own', { timeout: 5000 });
    expect(asked).toEqual(['its own']);
  });

  test('do not extend to a request, or one for redelivery, that names another subject for its answer', async () => {
    const [grants, rogue] = [await connect('grants'), await buses.connectRaw('gateway')];
    const misled: string[] = [];
    grants.serve(removeMember.subject, 'grants', async () => {
      misled.push('ran');
      return ok('');
    });
    const ended = Promise.withResolvers<void>();
    const recordStore = await buses.replica(async () => {
      misled.push('answered');
      return { status: 200, body: chunks(1_000_000, 10, ended.resolve) };
    });
    await grants.flush();
    rogue.publish(subject, '', { reply: removeMember.subject });
    const first = await rogue.request(subject, '', { timeout: 5000 });
    rogue.publish(first.reply!, undefined, { reply: removeMember.subject });
    await ended.promise;
    await recordStore.drain();
    await grants.flush();
    expect(misled).toEqual(['answered']);
  });

  test('redeliver an answer to its requester alone', async () => {
    const grants = await connect('grants');
    grants.serve(authorize.subject, 'grants', async () => ok('a secret'));
    await grants.flush();
    const replica = replicaSubject('grants', grants.replica);
    const [gateway, rogue] = [await buses.connectRaw('gateway'), await buses.connectRaw('procedures')];
    const overheard: string[] = [];
    rogue.subscribe(`${inboxPrefix('procedures')}.>`, {
      callback: (_error, message) => void overheard.push(message.string()),
    });
    const wantedAt = `${inboxPrefix('gateway')}.x.0`;
    const answers = gateway.subscribe(`${inboxPrefix('gateway')}.x.*`, { max: 2 });
    gateway.publish(authorize.subject, '', { reply: wantedAt });
    await Promise.all([gateway.flush(), grants.flush()]);
    rogue.publish(replica, JSON.stringify({ redeliver: wantedAt }), {
      reply: `${inboxPrefix('procedures')}.x.0`,
    });
    await rogue.flush();
    gateway.publish(replica, JSON.stringify({ redeliver: wantedAt }), {
      reply: `${inboxPrefix('gateway')}.x.1`,
    });
    const heard: string[] = [];
    for await (const answer of answers) heard.push(`${answer.subject}: ${answer.string()}`);
    await rogue.flush();
    expect(overheard).toEqual([]);
    expect(heard).toEqual([`${wantedAt}: a secret`, `${inboxPrefix('gateway')}.x.1: a secret`]);
  });

  test('on streams do not extend to an answer of JetStream in the inbox of another, or as an event', async () => {
    const [gateway, audit] = [await connect('gateway'), await connect('audit')];
    const rogue = await buses.connectRaw('audit');
    await audit.streams.create(AUDIT);
    const headers = createHeaders();
    headers.set('status', '200');
    const received: string[] = [];
    gateway.subscribe(logLevelEvent, () => void received.push('log level'));
    await gateway.flush();
    const forged = JSON.stringify({ service: 'gateway', level: 'trace', seconds: 60, operator: 'x' });
    // Acknowledged where the gateway waits, and read to there.
    const forge = async (reply: string) => {
      rogue.publish(streamSubject(AUDIT, 'audit'), forged, { reply, headers });
      for (const seq of [1, 99])
        rogue.publish('$JS.API.DIRECT.GET.AUDIT', JSON.stringify({ seq }), { reply });
      rogue.publish('$JS.API.STREAM.INFO.AUDIT', undefined, { reply });
      await rogue.request('$JS.API.STREAM.INFO.AUDIT', undefined, { timeout: 5000 });
    };
    await buses.hangingReplica(async (message) => {
      for (const victim of [message.reply!, logLevelEvent.subject, message.reply!]) await forge(victim);
      message.respond('the answer', { headers });
    });
    expect(text((await gateway.request(subject, '', { timeoutMs: 5000 })).body)).toBe('the answer');
    expect(received).toEqual([]);
  });
});
