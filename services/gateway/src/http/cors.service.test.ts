import { operations } from '@action-platform/contracts/operations';
import { startService } from '@action-platform/service-host';
import { describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../routes/openapi/document.ts';
import { gateway } from '../service.ts';
import { expectError, runningGateway } from '../test/harness.ts';

const LISTED = 'https://app.example.com';
const { harness } = runningGateway([], { CORS_ORIGINS: `${LISTED}, http://localhost:5173` });

const path = '/api/v1/operations/record_store.push_record';
const preflight = (origin: string) =>
  harness.http
    .options(path)
    .set({ Origin: origin, 'Access-Control-Request-Method': 'POST' })
    .set('Access-Control-Request-Headers', 'authorization,content-type');
const corsHeaders = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('a page of a listed origin', () => {
  test.each([LISTED, 'http://localhost:5173'])('gets a preflight answer: %s', async (origin) => {
    const { status, headers } = await preflight(origin);
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': expect.stringMatching(
        /Authorization.*Content-Type.*Idempotency-Key.*Mcp-Method,Mcp-Name,MCP-Protocol-Version/,
      ),
      'x-request-id': expect.any(String),
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('may read every answer, refusals too, with every header that is documented', async () => {
    const answers = [
      await harness.http.post(path).set('Origin', LISTED),
      await harness.http.get('/nowhere').set('Origin', LISTED),
      await harness.http.get('/api/v1/openapi.json').set('Origin', LISTED),
    ];
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe(LISTED);
      expect(headers.vary).toMatch(/\bOrigin\b/);
    }
    const exposed = answers[0]!.headers['access-control-expose-headers']!.toLowerCase().split(',');
    const paths = Object.values(openApiDocument(operations).paths).flatMap((methods) =>
      Object.values(methods as Record<string, { responses: Record<string, { headers: object }> }>),
    );
    const documented = paths.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers }) => Object.keys(headers)),
    );
    const hidden = new Set(documented.filter((name) => !exposed.includes(name.toLowerCase())));
    expect([...hidden]).toEqual([]);
  });
});

describe('a page of another origin', () => {
  test.each(['https://elsewhere.example', 'https://app.example.com.elsewhere.example', 'null'])(
    'gets no CORS headers: %s',
    async (origin) => {
      const asked = await preflight(origin);
      expectError(asked, 'method_not_allowed');
      const answer = await harness.http.get('/livez').set('Origin', origin);
      expect([...corsHeaders(asked.headers), ...corsHeaders(answer.headers)]).not.toContain(
        'access-control-allow-origin',
      );
    },
  );
});

test('without CORS_ORIGINS no answer has CORS headers', async () => {
  await harness.startAnother();
  expectError(await preflight(LISTED), 'method_not_allowed');
  const { headers } = await harness.http.get('/livez').set('Origin', LISTED);
  expect([corsHeaders(headers), headers.vary]).toEqual([[], undefined]);
});

test.each(['*', 'app.example.com', 'https://app.example.com/', 'https://app.example.com/page', 'null'])(
  'CORS_ORIGINS=%s names no origin, and is refused',
  async (CORS_ORIGINS) => {
    await expect(startService(gateway, { ...harness.issuer.environment, CORS_ORIGINS })).rejects.toThrow(
      'Wrong configuration: CORS_ORIGINS: must be origins such as https://app.example.com, separated by commas',
    );
  },
);
