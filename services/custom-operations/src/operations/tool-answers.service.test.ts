import { describe, expect, test } from '@jest/globals';
import { TEXT, type TestMcpServer } from '../test-support/test-mcp-server.ts';
import { causeOf, testTools } from '../test-support/test-tools.ts';

const tools = testTools();
const [down, failed, refused] = [
  'custom_endpoint_unavailable',
  'custom_endpoint_failed',
  'custom_operation_refused',
];

const stream = (...messages: string[]) => messages.map((message) => `data: ${message}\n\n`).join('');
const rpc = (id: unknown, result: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const content = (...items: string[]) => `{"content":[${items.join(',')}]}`;

describe('a server that answers a call with', () => {
  test.each<[string, string, string]>([
    [
      'an image, a resource and a link',
      content(
        '{"type":"image","data":"AAEC","mimeType":"image/png"}',
        '{"type":"resource","resource":{"uri":"a:b","mimeType":"text/plain","text":"é"}}',
        '{"type":"resource_link","uri":"a:b","name":"b","size":7}',
      ),
      content(
        '{"type":"image","mimeType":"image/png","bytes":3}',
        '{"type":"resource","mimeType":"text/plain","bytes":2}',
        '{"type":"resource_link","mimeType":"application/octet-stream","bytes":7}',
      ),
    ],
    ['no content', '{}', content()],
  ])('%s has that as the result', async (_name, result, expected) => {
    const operation = await tools.define();
    tools.server.call = () => result;
    expect((await tools.call(operation)).text).toBe(`{"result":${expected}}`);
  });

  type Answer = TestMcpServer['call'];
  const typed =
    (type: string, body: (id: unknown) => string, status = 200): Answer =>
    ({ id }, response) =>
      void response.writeHead(status, { 'content-type': type }).end(body(id));
  const inJson = (body: (id: unknown) => string, status = 200) => typed('application/json', body, status);
  const inStream = (body: (id: unknown) => string) => typed('text/event-stream', body);
  const inError = (code: number) =>
    inJson((id) => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'No\nsuch' } }));

  test.each<[string, Answer, readonly [read: string, write: string, message: RegExp]]>([
    ['302', inJson(() => '', 302), [down, failed, /Cause: status_302\./]],
    [
      '101',
      (_rpc, response) => void response.socket!.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
      [down, failed, /Cause: status_101\./],
    ],
    ['500', inJson(() => '{}', 500), [down, failed, /Cause: status_500\./]],
    ['429', inJson(() => '{}', 429), [down, down, /Cause: status_429\./]],
    [
      '422',
      inJson(() => '{"error":{"code":-1,"message":"Bad"}}', 422),
      [refused, refused, /status 422: Bad$/],
    ],
    ['an invalid input', inError(-32_602), [refused, refused, /input: No such$/]],
    ['another error', inError(-32_603), [down, failed, /Cause: rpc_error\./]],
    [
      'isError',
      () =>
        '{"isError":true,"content":[{"type":"text","text":"No"},{"type":"image"},{"type":"text","text":"go"}]}',
      [refused, refused, /The tool answered: No go$/],
    ],
    [
      'a request for input',
      () => '{"resultType":"input_required","inputRequests":{}}',
      [down, failed, /Cause: unreadable_answer\./],
    ],
    ['content that is none', () => '{"content":{}}', [down, failed, /Cause: unreadable_answer\./]],
    ['nothing in time', () => undefined, [down, failed, /Cause: timeout\./]],
    [
      'duplicate names',
      inJson((id) => rpc(id, '{"content":[],"a":1,"a":2}')),
      [down, failed, /Cause: unreadable_answer\./],
    ],
    [
      '70 levels',
      inJson((id) => rpc(id, `{"content":[],"structuredContent":{"a":${nested(70)}}}`)),
      [down, failed, /Cause: unreadable_answer\./],
    ],
    ['another id', inJson(() => rpc('other', TEXT)), [down, failed, /Cause: unreadable_answer\./]],
    ['no JSON', typed('text/html', () => '<p>'), [down, failed, /Cause: unreadable_answer\./]],
    [
      '9 MB',
      inJson((id) => rpc(id, content(`{"type":"text","text":"${'x'.repeat(9e6)}"}`))),
      [down, failed, /Cause: too_large\./],
    ],
    ['9 MB of events', inStream(() => stream(`"${'x'.repeat(9e6)}"`)), [down, failed, /Cause: too_large\./]],
    [
      'events of a foreign id alone',
      inStream(() => stream(rpc('other', TEXT))),
      [down, failed, /Cause: unreadable_answer\./],
    ],
    [
      'events that are not UTF-8',
      ({ id }, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(Buffer.concat([Buffer.from([255]), Buffer.from(stream(rpc(id, TEXT)))])),
      [down, failed, /Cause: unreadable_answer\./],
    ],
    [
      'events without end',
      (_rpc, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const dripping = setInterval(
          () => response.write(stream('{"jsonrpc":"2.0","method":"notifications/progress"}')),
          50,
        );
        response.on('close', () => clearInterval(dripping));
        return undefined;
      },
      [down, failed, /Cause: timeout\./],
    ],
  ])('%s gives a caller that outcome', async (_name, answer, [read, write, message]) => {
    const reading = await tools.define({ id: 'custom.a_read', effect: 'read', timeoutMs: 1_000 });
    const writing = await tools.define({ timeoutMs: 1_000 });
    tools.server.call = answer;
    const answers = [await tools.call(reading), await tools.call(writing)];
    expect(answers.map(({ code }) => code)).toEqual([read, write]);
    expect(answers[1]!.error?.message).toMatch(message);
  });

  test('a result of a write of more than 16 KiB gives an unknown outcome; a read takes 256', async () => {
    const result = (bytes: number) => () => content(`{"type":"text","text":"${'x'.repeat(bytes)}"}`);
    const writing = await tools.define();
    const reading = await tools.define({ id: 'custom.a_read', effect: 'read' });
    tools.server.call = result(16 * 1024);
    expect([causeOf(await tools.call(writing)), (await tools.call(reading)).code]).toEqual([
      'too_large',
      'ok',
    ]);
    tools.server.call = result(256 * 1024);
    expect(causeOf(await tools.call(reading))).toBe('too_large');
  });

  test('requests of its own gets each declined, and a ping answered, before its result', async () => {
    const operation = await tools.define();
    const answers: unknown[] = [];
    let send = (): unknown => undefined;
    tools.custom.answer = (response, received) => {
      const message = JSON.parse(received.body);
      if (message.method !== undefined) return tools.server.answer(response, received);
      answers.push(message);
      response.writeHead(202).end();
      return answers.length === 2 && send();
    };
    tools.server.call = ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(stream('{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{}}'));
      response.write(stream('{"jsonrpc":"2.0","id":2,"method":"ping"}'));
      send = () => response.write(stream(rpc(id, TEXT)));
      return undefined;
    };
    expect((await tools.call(operation)).code).toBe('ok');
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 's1', error: { code: -32_601, message: expect.any(String) } },
        { jsonrpc: '2.0', id: 2, result: {} },
      ]),
    );
  });
});
