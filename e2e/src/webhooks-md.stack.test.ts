import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@action-platform/local-servers';
import { listen } from '@action-platform/testing';
import { expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { demoFolder } from './demo-folder.ts';
import { hasPython, pasted, samplesOf } from './docs-samples.ts';
import { RunningSamples } from './running-samples.ts';
import { SharedStack } from './shared-stack.ts';

jest.setTimeout(60_000);

const PAGE = 'docs/webhooks.md';
const stack = new SharedStack();
const samples = new RunningSamples();

/** A request as the platform sent it. */
interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Creates the endpoint of the page at an address of this machine, and captures its first delivery. */
async function delivered(): Promise<Sent & { secret: string }> {
  const sent = Promise.withResolvers<Sent>();
  const server = createServer(async (request, response) => {
    sent.resolve({ headers: request.headers, body: String(await buffer(request)) });
    response.writeHead(204).end();
  });
  const address = `http://127.0.0.1:${await listen(server)}/action-platform`;
  const create = samplesOf(PAGE, 'sh')[0]!.replace('http://127.0.0.1:3000/action-platform', address);
  const push = `COLLECTION=$(call "$OWNER" record_store.create_collection '{"name":"webhooks"}' | pick result.collection.id)
    call "$OWNER" record_store.push_record '{"collection_id":"'$COLLECTION'","payload":{}}'`;
  const [secret] = pasted([`${create} echo "$WEBHOOK_SECRET"`, push], demoFolder(await stack.workspace()));
  const first = await sent.promise;
  server.close();
  return { ...first, secret: secret!.trim() };
}

test('the commands of docs/webhooks.md create an endpoint and rotate its secret', async () => {
  const [create, rotate] = samplesOf(PAGE, 'sh').map((block) => `${block} echo "$WEBHOOK_SECRET"`);
  const secrets = pasted([create!, rotate!], demoFolder(await stack.workspace())).map((shown) =>
    shown.trim(),
  );
  expect(secrets).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
  expect(secrets[0]).not.toBe(secrets[1]);
});

test.each(['js', 'python'])(
  'the receiver of docs/webhooks.md in %s accepts an event, drops it the second time, and answers a forged request with 400',
  async (language) => {
    if (language === 'python' && !hasPython('the receiver')) return;
    const { headers, body, secret } = await delivered();
    const port = await freePort();
    const [, output] = await samples.serve(PAGE, language, port, { WEBHOOK_SECRET: secret });
    const post = async (given: object, sent = body) => {
      const request = { method: 'POST', headers: { ...given }, body: sent };
      return (await fetch(`http://127.0.0.1:${port}/action-platform`, request)).status;
    };
    const signed = {
      'content-type': headers['content-type'],
      'webhook-id': headers['webhook-id'],
      'webhook-timestamp': headers['webhook-timestamp'],
      'webhook-signature': headers['webhook-signature'],
    };
    const { 'webhook-signature': _signature, ...unsigned } = signed;
    const old = new Date(Date.now() - 3_600_000);
    const oldSignature = new Webhook(secret).sign(String(headers['webhook-id']), old, body);
    const oldTimestamp = String(Math.floor(old.getTime() / 1000));
    for (const [given, sent] of [
      [signed, `${body} `],
      [{ ...signed, 'webhook-id': 'evt_other' }],
      [{ ...signed, 'webhook-signature': 'v1,Zm9yZ2Vk é' }],
      [{ ...signed, 'webhook-timestamp': oldTimestamp, 'webhook-signature': oldSignature }],
      [{ ...signed, 'webhook-timestamp': '9'.repeat(5000) }],
      [{ ...signed, 'webhook-timestamp': 'now' }],
      [unsigned],
      [{}],
    ] as [object, string?][])
      expect([given, await post(given, sent)]).toEqual([given, 400]);
    expect([await post(signed), await post(signed)]).toEqual([204, 204]);
    while (!output().includes('record.pushed')) await delay(50);
    expect(output().match(/record\.pushed/g)).toHaveLength(1);
    expect(output()).not.toMatch(/Traceback|Error/);
  },
);
