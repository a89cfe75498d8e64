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
import { type ClientProxy, ClientsModule, Transport } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { firstValueFrom } from 'rxjs';
import type { Principal } from '../same-work/members.ts';
import { Refusal, refusalBody } from '../same-work/refusal.ts';
import { createSessions } from '../same-work/sessions.ts';
import { decorateClass, decorateMethod, decorateParameters } from './decorate.ts';

const BUS = Symbol('the bus');
const sessionOf = createSessions(process.env);

interface AuthorizedRequest extends Request {
  principal?: Principal;
}

/** Who has no membership does not get past it. */
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

/** What microservices throw arrives as a plain object. */
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

class AppModule {}
decorateClass(
  AppModule,
  Module({
    imports: [
      ClientsModule.register([
        { name: BUS, transport: Transport.NATS, options: { servers: [process.env.NATS_URL!] } },
      ]),
    ],
    controllers: [OperationsController, ReadyController],
  }),
);

const app = await NestFactory.create<NestExpressApplication>(AppModule, {
  logger: ['warn', 'error'],
  forceCloseConnections: true,
});
app.disable('x-powered-by');
app.disable('etag');
app.useBodyParser('json', { limit: '2mb' });
await app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => void app.close());
