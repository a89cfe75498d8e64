import { authorize, findCollections, healthCall, operationSubject } from '@action-platform/contracts';
import { startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Bus } from './bus.ts';
import { callService } from './call-service.ts';
import type { BusAnswer } from './server.ts';

const subject = operationSubject('record_store.push_record');
const ok = (body: string): BusAnswer => ({ status: 200, body: Buffer.from(body) });
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

let server: TestBus;
const opened: Bus[] = [];
const connect = async (user: Parameters<TestBus['connect']>[0]) => {
  const bus = await server.connect(user);
  opened.push(bus);
  return bus;
};

beforeAll(async () => {
  server = await startTestBus();
});
afterAll(async () => {
  await Promise.all(opened.map((bus) => bus.drain()));
  await server.stop();
});

describe('request and reply', () => {
  test('carries the body, the headers and the status both ways', async () => {
    const service = await connect('record-store');
    const gateway = await connect('gateway');
    service.serve(subject, 'record-store', async (request) => ({
      status: 400,
      headers: { 'retry-after': '7' },
      body: Buffer.from(
        `${text(request.body)} ${request.header('x-request-id')} ${request.header('absent')}|`,
      ),
    }));
    await service.flush();
    const reply = await gateway.request(subject, 'hello', {
      timeoutMs: 2000,
      headers: { 'x-request-id': 'r-ü' },
    });
    expect(reply.status).toBe(400);
    expect(reply.header('retry-after')).toBe('7');
    expect(text(reply.body)).toBe('hello r-ü |');
    await service.drain();
  });

  test('tells at once that nobody serves the subject', async () => {
    const gateway = await connect('gateway');
    const asked = gateway.request(operationSubject('record_store.get_record'), '', { timeoutMs: 60_000 });
    await expect(asked).rejects.toMatchObject({ code: 'action_platform_unavailable', retryAfter: 1 });
  });

  test('says that the outcome is unknown when no answer comes in time', async () => {
    const service = await connect('record-store');
    const gateway = await connect('gateway');
    const answer = Promise.withResolvers<BusAnswer>();
    service.serve(subject, 'record-store', () => answer.promise);
    await service.flush();
    const asked = gateway.request(subject, '', { timeoutMs: 50 });
    await expect(asked).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    answer.resolve(ok('late'));
    await service.drain();
  });

  test('says that the outcome is unknown when the connection closes while waiting', async () => {
    const service = await connect('record-store');
    const gateway = await server.connect('gateway');
    const seen = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<BusAnswer>();
    service.serve(subject, 'record-store', () => {
      seen.resolve();
      return answer.promise;
    });
    await service.flush();
    const asked = gateway.request(subject, '', { timeoutMs: 60_000 });
    const failed = expect(asked).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    await seen.promise;
    await gateway.drain();
    await failed;
    await expect(gateway.request(subject, '', { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'action_platform_unavailable',
    });
    answer.resolve(ok('late'));
    await service.drain();
  });

  test('shares requests between the members of a queue group', async () => {
    const [one, two, gateway] = [
      await connect('record-store'),
      await connect('record-store'),
      await connect('gateway'),
    ];
    one.serve(subject, 'record-store', async () => ok('one'));
    two.serve(subject, 'record-store', async () => ok('two'));
    await Promise.all([one.flush(), two.flush()]);
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => gateway.request(subject, '', { timeoutMs: 2000 })),
    );
    expect(new Set(replies.map((reply) => text(reply.body)))).toEqual(new Set(['one', 'two']));
    await Promise.all([one.drain(), two.drain()]);
  });
});

describe('draining', () => {
  test('answers what was taken, and leaves the rest to the other replicas', async () => {
    const [leaving, staying, gateway] = [
      await connect('record-store'),
      await connect('record-store'),
      await connect('gateway'),
    ];
    for (const bus of [leaving, staying]) {
      bus.serve(subject, 'record-store', async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return ok('done');
      });
      await bus.flush();
    }
    const asked = Array.from({ length: 300 }, () => gateway.request(subject, '', { timeoutMs: 5000 }));
    const drained = leaving.drain();
    asked.push(...Array.from({ length: 300 }, () => gateway.request(subject, '', { timeoutMs: 5000 })));
    const replies = await Promise.all(asked);
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    await drained;
    await staying.drain();
  });
});

describe('long answers', () => {
  async function* pieces(count: number, size: number, onEnd: () => void = () => {}) {
    try {
      for (let i = 0; i < count; i++) yield new Uint8Array(size).fill(i % 256);
    } finally {
      onEnd();
    }
  }

  const ask = async (body: () => BusAnswer['body'] | Promise<never>) => {
    const service = await connect('record-store');
    const gateway = await connect('gateway');
    service.serve(subject, 'record-store', async () => ({ status: 200, body: await body() }));
    await service.flush();
    const reply = await gateway.request(subject, '', { timeoutMs: 5000 });
    return { reply, service };
  };

  test('arrive whole and in order, whatever their length', async () => {
    const { reply, service } = await ask(() => pieces(60, 200_000));
    const received = [reply.body, ...(await Array.fromAsync(reply.more!))];
    const expected = await Array.fromAsync(pieces(60, 200_000));
    expect(Buffer.concat(received).equals(Buffer.concat(expected))).toBe(true);
    await service.drain();
  });

  test('are cut into pieces when the body is larger than a message', async () => {
    const whole = new Uint8Array(5_000_000).map((_, index) => index % 251);
    const { reply, service } = await ask(() => whole);
    const received = [reply.body, ...(await Array.fromAsync(reply.more!))];
    expect(Buffer.concat(received).equals(whole)).toBe(true);
    await service.drain();
  });

  test('of one piece and of none are plain replies', async () => {
    for (const count of [0, 1]) {
      const { reply, service } = await ask(() => pieces(count, 10));
      expect(reply.more).toBeUndefined();
      expect(reply.body).toHaveLength(count * 10);
      await service.drain();
    }
  });

  test('are produced no faster than they are consumed', async () => {
    let produced = 0;
    async function* counting() {
      for (;;) {
        produced++;
        yield new Uint8Array(1000);
      }
    }
    const { reply, service } = await ask(() => counting());
    for (let consumed = 0; consumed < 20; consumed++) {
      await reply.more!.next();
      expect(produced).toBeLessThan(consumed + 10);
    }
    await reply.more!.return(undefined);
    await service.drain();
  });

  test('stop at the source when the receiver stops', async () => {
    const ended = Promise.withResolvers<void>();
    const { reply, service } = await ask(() => pieces(1_000_000, 1000, ended.resolve));
    await reply.more!.next();
    await reply.more!.return(undefined);
    await ended.promise;
    await service.drain();
  });

  test('fail for the receiver when the source fails', async () => {
    async function* failing() {
      yield new Uint8Array(10);
      yield new Uint8Array(10);
      yield new Uint8Array(10);
      throw new Error('the disk is gone');
    }
    const { reply, service } = await ask(() => failing());
    await expect(Array.fromAsync(reply.more!)).rejects.toMatchObject({
      code: 'action_infrastructure_failure',
    });
    await service.drain();
  });

  test('that fail before they began are a failed request', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(new Error('no first piece'));
    };
    const service = await connect('record-store');
    const gateway = await connect('gateway');
    service.serve(subject, 'record-store', async () => ({ status: 200, body: failing() }));
    await service.flush();
    const asked = gateway.request(subject, '', { timeoutMs: 5000 });
    await expect(asked).rejects.toMatchObject({ code: 'action_infrastructure_failure' });
    await service.drain();
  });
});

describe('permissions', () => {
  const refusedFor = (asked: Promise<unknown>) =>
    expect(asked).rejects.toMatchObject({ code: 'action_infrastructure_failure' });

  test('let only the gateway run operations and ask for authority', async () => {
    const [gateway, grants, recordStore, admin] = [
      await connect('gateway'),
      await connect('grants'),
      await connect('record-store'),
      await connect('admin'),
    ];
    recordStore.serve(subject, 'record-store', async () => ok('{}'));
    grants.serve(authorize.subject, 'grants', async () => ok('{}'));
    await Promise.all([recordStore.flush(), grants.flush()]);
    for (const outsider of [grants, recordStore, admin]) {
      await refusedFor(outsider.request(subject, '', { timeoutMs: 200 }));
      await refusedFor(outsider.request(authorize.subject, '', { timeoutMs: 200 }));
    }
    expect((await gateway.request(subject, '', { timeoutMs: 2000 })).status).toBe(200);
    expect((await gateway.request(authorize.subject, '', { timeoutMs: 2000 })).status).toBe(200);
    await Promise.all([recordStore.drain(), grants.drain()]);
  });

  test('let only the owner of a subject serve it', async () => {
    const [gateway, grants, admin] = [
      await connect('gateway'),
      await connect('grants'),
      await connect('admin'),
    ];
    for (const intruder of [grants, admin, gateway]) {
      intruder.serve(subject, 'record-store', async () => ok('stolen'));
      intruder.serve(healthCall('record-store').subject, 'record-store', async () => ok('stolen'));
      await intruder.flush();
    }
    for (const target of [subject, healthCall('record-store').subject]) {
      await expect(gateway.request(target, '', { timeoutMs: 500 })).rejects.toMatchObject({
        code: 'action_platform_unavailable',
      });
    }
  });

  test('keep replies from everyone but the requester', async () => {
    const [gateway, grants, recordStore] = [
      await connect('gateway'),
      await connect('grants'),
      await connect('record-store'),
    ];
    const overheard: string[] = [];
    for (const prefix of ['_INBOX_gateway.>', '_INBOX.>', '>']) {
      grants.serve(prefix, 'grants', async (request) => {
        overheard.push(request.subject);
        return ok('');
      });
    }
    await grants.flush();
    recordStore.serve(subject, 'record-store', async () => ok('secret'));
    await recordStore.flush();
    expect(text((await gateway.request(subject, '', { timeoutMs: 2000 })).body)).toBe('secret');
    await grants.flush();
    expect(overheard).toEqual([]);
    await recordStore.drain();
  });

  test('let only the named caller make an internal call', async () => {
    const [gateway, grants, recordStore] = [
      await connect('gateway'),
      await connect('grants'),
      await connect('record-store'),
    ];
    recordStore.serve(findCollections.subject, 'record-store', async () => ok('{"found":[]}'));
    await recordStore.flush();
    const input = { workspaceId: 'ws_1', ids: [] };
    expect(await callService(grants, findCollections, input, { timeoutMs: 2000 })).toEqual({ found: [] });
    await refusedFor(callService(gateway, findCollections, input, { timeoutMs: 200 }));
    await recordStore.drain();
  });
});
