/** NestJS on Express with NATS microservices: `nest.ts gateway|grants|record-store` runs one of its processes. */
import {
  Body,
  type CanActivate,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientsModule,
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { firstValueFrom } from 'rxjs';
import { openDatabase } from '../same-work/database.ts';
import { findPrincipal, type Principal } from '../same-work/members.ts';
import { operationsOn } from '../same-work/operations.ts';
import { Records } from '../same-work/records.ts';
import { Refusal, refusalBody } from '../same-work/refusal.ts';
import { createSessions, type Session } from '../same-work/sessions.ts';

const BUS = Symbol('the bus');
const sessionOf = createSessions(process.env);

interface AuthorizedRequest extends Request {
  principal?: Principal;
}

/** Refuses callers without a membership. */
class MemberGuard implements CanActivate {
  readonly #bus: ClientProxy;

  constructor(bus: ClientProxy) {
    this.#bus = bus;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthorizedRequest>();
    const session = await sessionOf(request.headers.authorization);
    request.principal = await firstValueFrom(this.#bus.send<Principal>('nest.grants.authorize', session));
    return true;
  }
}
decorateParameters(MemberGuard, undefined, Inject(BUS) as ParameterDecorator);
decorateClass(MemberGuard, Injectable());

/** Answers with a refusal, which arrives from a microservice as a plain object. */
class RefusalFilter implements ExceptionFilter {
  catch({ status = 500, code = 'internal_error', message }: Refusal, context: ExecutionContext): void {
    const response = context.switchToHttp().getResponse<Response>();
    response.status(status).json(refusalBody(new Refusal(status, code, message)));
  }
}
decorateClass(RefusalFilter, Catch());

class OperationsController {
  readonly #bus: ClientProxy;

  constructor(bus: ClientProxy) {
    this.#bus = bus;
  }

  async execute(operation: string, input: unknown, { principal }: AuthorizedRequest): Promise<object> {
    const message = { operation, principal, input };
    return { result: await firstValueFrom(this.#bus.send('nest.operations.run', message)) };
  }
}
decorateParameters(OperationsController, undefined, Inject(BUS) as ParameterDecorator);
decorateParameters(OperationsController, 'execute', Param('operation'), Body(), Req());
decorateMethod(
  OperationsController,
  'execute',
  Post(':operation'),
  HttpCode(200),
  UseGuards(MemberGuard),
  UseFilters(RefusalFilter),
);
decorateClass(OperationsController, Controller('api/v1/operations'));

class ReadyController {
  ready(): object {
    return { ready: true };
  }
}
decorateMethod(ReadyController, 'ready', Get('readyz'));
decorateClass(ReadyController, Controller());

class GatewayModule {}
decorateClass(
  GatewayModule,
  Module({
    imports: [
      ClientsModule.register([
        { name: BUS, transport: Transport.NATS, options: { servers: [process.env.NATS_URL!] } },
      ]),
    ],
    controllers: [OperationsController, ReadyController],
  }),
);

/** A call of an operation on the bus. */
interface OperationMessage {
  readonly operation: string;
  readonly principal: Principal;
  readonly input: unknown;
}

const processes: Readonly<Record<string, () => Promise<void>>> = {
  gateway: async () => {
    const app = await NestFactory.create<NestExpressApplication>(GatewayModule, {
      logger: ['warn', 'error'],
      forceCloseConnections: true,
    });
    app.disable('x-powered-by');
    app.disable('etag');
    app.useBodyParser('json', { limit: '2mb' });
    await app.listen(Number(process.env.PORT), '127.0.0.1');
    process.once('SIGTERM', () => void app.close());
  },
  grants: async () => {
    const database = await openDatabase(process.env.MONGODB_URL!, process.env.MONGODB_DATABASE!);
    const answer = (session: Session) => findPrincipal(database, session);
    await runMicroservice('nest.grants.authorize', answer, () => database.close());
  },
  'record-store': async () => {
    const database = await openDatabase(process.env.MONGODB_URL!, process.env.MONGODB_DATABASE!);
    const runOperation = operationsOn(new Records(database));
    const answer = ({ operation, principal, input }: OperationMessage) =>
      runOperation(operation, principal, input);
    await runMicroservice('nest.operations.run', answer, () => database.close());
  },
};
await processes[process.argv[2]!]!();

/** Runs a microservice on NATS that answers one message pattern. */
async function runMicroservice<Message>(
  pattern: string,
  answer: (message: Message) => Promise<object>,
  stop: () => Promise<void>,
): Promise<void> {
  class MessageController {
    async handle(message: Message): Promise<object> {
      return await answer(message).catch(asRpcException);
    }
  }
  decorateParameters(MessageController, 'handle', Payload());
  decorateMethod(MessageController, 'handle', MessagePattern(pattern));
  decorateClass(MessageController, Controller());

  class AppModule {}
  decorateClass(AppModule, Module({ controllers: [MessageController] }));

  const app = await NestFactory.createMicroservice<MicroserviceOptions>(AppModule, {
    transport: Transport.NATS,
    options: { servers: [process.env.NATS_URL!], queue: pattern },
    logger: ['warn', 'error'],
  });
  await app.listen();
  process.once('SIGTERM', () => void app.close().then(stop));
}

/** Throws a refusal as Nest's own error, which its transport keeps whole. */
function asRpcException(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const { status, code, message } = error;
  throw new RpcException({ status, code, message });
}

/*
 * Node.js strips the types of TypeScript and knows no decorators, so this file calls them as functions.
 */

/** Applies decorators to a class. */
function decorateClass(target: new (...args: never[]) => object, ...decorators: ClassDecorator[]): void {
  for (const decorator of decorators.toReversed()) decorator(target);
}

/** Applies decorators to a method. */
function decorateMethod(
  target: new (...args: never[]) => object,
  method: string,
  ...decorators: MethodDecorator[]
): void {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, method)!;
  for (const decorator of decorators.toReversed()) decorator(target.prototype, method, descriptor);
}

/** Applies decorators to the parameters of a method, or of the constructor without one, in their order. */
function decorateParameters(
  target: new (...args: never[]) => object,
  method: string | undefined,
  ...decorators: ParameterDecorator[]
): void {
  const owner = method === undefined ? target : target.prototype;
  for (const [index, decorator] of decorators.entries()) decorator(owner, method, index);
}
