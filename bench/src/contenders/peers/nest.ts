/**
 * NestJS on Express with NATS microservices: `nest.ts gateway|grants|record-store` runs one of its processes. Node.js strips the
 * types of TypeScript and knows no decorators, so this file calls them as compiled TypeScript does.
 */
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
import { __decorate, __param } from 'tslib';
import { openDatabase } from '../same-work/database.ts';
import { operationsOn } from '../same-work/operations.ts';
import { Refusal } from '../same-work/refusal.ts';
import { createSessions, findPrincipal, type Principal, type Session } from '../same-work/sessions.ts';

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
__decorate([Injectable(), __param(0, Inject(BUS) as ParameterDecorator)], MemberGuard);

/** Answers with a refusal, which arrives from a microservice as a plain object. */
class RefusalFilter implements ExceptionFilter {
  catch({ status = 500, code = 'internal_error', message }: Refusal, context: ExecutionContext): void {
    const response = context.switchToHttp().getResponse<Response>();
    response.status(status).json(new Refusal(status, code, message).body);
  }
}
__decorate([Catch()], RefusalFilter);

class OperationsController {
  readonly #bus: ClientProxy;

  constructor(bus: ClientProxy) {
    this.#bus = bus;
  }

  async execute(operation: string, input: unknown, { principal }: AuthorizedRequest): Promise<object> {
    const message = { operation, principal, input };
    return { result: await firstValueFrom(this.#bus.send('nest.operations.run', message)) };
  }

  ready(): object {
    return { ready: true };
  }
}
const parameters = [__param(0, Param('operation')), __param(1, Body()), __param(2, Req())];
const guards = [HttpCode(200), UseGuards(MemberGuard), UseFilters(RefusalFilter)];
const route = [Post('api/v1/operations/:operation'), ...guards, ...parameters];
__decorate(route, OperationsController.prototype, 'execute', null);
__decorate([Get('readyz')], OperationsController.prototype, 'ready', null);
__decorate([Controller(), __param(0, Inject(BUS) as ParameterDecorator)], OperationsController);

class GatewayModule {}
const client = {
  name: BUS,
  transport: Transport.NATS as const,
  options: { servers: [process.env.NATS_URL!] },
};
const parts = { imports: [ClientsModule.register([client])], controllers: [OperationsController] };
__decorate([Module(parts)], GatewayModule);

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
    const runOperation = operationsOn(database);
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
  __decorate([MessagePattern(pattern), __param(0, Payload())], MessageController.prototype, 'handle', null);
  __decorate([Controller()], MessageController);
  class AppModule {}
  __decorate([Module({ controllers: [MessageController] })], AppModule);

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
