import type { ServerResponse } from 'node:http';
import { type Context, Errors } from 'moleculer';
import ApiGateway, { type IncomingRequest } from 'moleculer-web';
import type { Principal } from '../same-work/members.ts';
import { Refusal, refusalBody } from '../same-work/refusal.ts';
import { createSessions } from '../same-work/sessions.ts';
import { createBroker } from './broker.ts';
import { asMoleculerError } from './errors.ts';

const sessionOf = createSessions(process.env);
const broker = createBroker('gateway');

broker.createService({
  name: 'gateway',
  mixins: [ApiGateway],
  settings: {
    ip: '127.0.0.1',
    port: Number(process.env.PORT),
    routes: [
      {
        path: '/api/v1/operations',
        authentication: true,
        mergeParams: false,
        bodyParsers: { json: { limit: '2mb' } },
        aliases: { 'POST /:operation': 'gateway.execute' },
        onError,
      },
      { path: '/', aliases: { 'GET readyz': 'gateway.ready' } },
    ],
  },
  dependencies: ['grants', 'operations'],
  actions: {
    ready: () => ({ ready: true }),
    execute: async (
      context: Context<{ params: { operation: string }; body: unknown }, { user: Principal }>,
    ) => {
      const { params, body } = context.params;
      const call = { operation: params.operation, input: body };
      const result = await context.call('operations.run', call, { meta: { principal: context.meta.user } });
      return { result };
    },
  },
  methods: {
    authenticate: async (context: Context, _route: unknown, request: IncomingRequest): Promise<unknown> => {
      const session = await sessionOf(request.headers.authorization).catch(asMoleculerError);
      return await context.call('grants.authorize', session);
    },
  },
});

function onError(_request: IncomingRequest, response: ServerResponse, error: Error): void {
  const refusal =
    error instanceof Errors.MoleculerError
      ? new Refusal(error.code, error.type, error.message)
      : new Refusal(500, 'internal_error', error.message);
  response
    .writeHead(refusal.status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(refusalBody(refusal)));
}

await broker.start();
