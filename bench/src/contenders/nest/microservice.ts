import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  MessagePattern,
  type MicroserviceOptions,
  Payload,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import { Refusal } from '../same-work/refusal.ts';
import { decorateClass, decorateMethod, decorateParameters } from './decorate.ts';

/** Runs a microservice on NATS that answers one message pattern. */
export async function runMicroservice<Message>(
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

/** Throws a refusal as Nest's own error, which crosses its transport whole. */
function asRpcException(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const { status, code, message } = error;
  throw new RpcException({ status, code, message });
}
