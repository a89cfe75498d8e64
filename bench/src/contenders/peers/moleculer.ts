/** Moleculer on NATS: `moleculer.ts gateway|grants|record-store` runs one of its processes. */
import type { ServerResponse } from 'node:http';
import {
  type Context,
  Errors,
  ServiceBroker,
  type ServiceSchema,
  type ServiceSettingSchema,
} from 'moleculer';
import ApiGateway, { type IncomingRequest } from 'moleculer-web';
import { openDatabase } from '../same-work/database.ts';
import { operationsOn } from '../same-work/operations.ts';
import { Refusal } from '../same-work/refusal.ts';
import { createSessions, findPrincipal, type Principal, type Session } from '../same-work/sessions.ts';

const { MONGODB_URL, MONGODB_DATABASE, NATS_URL, PORT } = process.env;
const schemas: Readonly<Record<string, () => ServiceSchema | Promise<ServiceSchema>>> = {
  gateway,
  grants,
  'record-store': recordStore,
};
const [process_ = ''] = process.argv.slice(2);

/** A broker with Moleculer's defaults, except for its log. */
const broker = new ServiceBroker({
  namespace: 'bench',
  nodeID: process_,
  logger: { type: 'Console', options: { level: 'warn' } },
  transporter: { type: 'NATS', options: { url: NATS_URL! } },
});
broker.createService(await schemas[process_]!());
await broker.start();

function gateway(): ServiceSchema {
  const sessionOf = createSessions(process.env);
  return {
    name: 'gateway',
    mixins: [ApiGateway],
    settings: {
      ip: '127.0.0.1',
      port: Number(PORT),
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
    } as ServiceSettingSchema,
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
  };
}

async function grants(): Promise<ServiceSchema> {
  const database = await openDatabase(MONGODB_URL!, MONGODB_DATABASE!);
  return {
    name: 'grants',
    actions: {
      authorize: (context: Context<Session>) =>
        findPrincipal(database, context.params).catch(asMoleculerError),
    },
    stopped: () => database.close(),
  };
}

async function recordStore(): Promise<ServiceSchema> {
  const database = await openDatabase(MONGODB_URL!, MONGODB_DATABASE!);
  const runOperation = operationsOn(database);
  return {
    name: 'operations',
    actions: {
      run: (context: Context<{ operation: string; input: unknown }, { principal: Principal }>) => {
        const { operation, input } = context.params;
        return runOperation(operation, context.meta.principal, input).catch(asMoleculerError);
      },
    },
    stopped: () => database.close(),
  };
}

/** Throws a refusal as Moleculer's own error, which its transport keeps whole. */
function asMoleculerError(error: unknown): never {
  if (error instanceof Refusal)
    throw new Errors.MoleculerClientError(error.message, error.status, error.code);
  throw error;
}

function onError(_request: IncomingRequest, response: ServerResponse, error: Error): void {
  const refusal =
    error instanceof Errors.MoleculerError
      ? new Refusal(error.code, error.type, error.message)
      : new Refusal(500, 'internal_error', error.message);
  const body = JSON.stringify(refusal.body);
  response.writeHead(refusal.status, { 'Content-Type': 'application/json' }).end(body);
}
