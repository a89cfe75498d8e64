/** Runs a real mongod and a real nats-server as child processes on this machine. */
export { type MongodOptions, startMongod } from './mongod/mongod.ts';
export { type NatsServerOptions, startNatsServer } from './nats/nats-server.ts';
export { freePort } from './process/free-port.ts';
export {
  type LocalServer,
  LocalServerError,
  type LocalServerOptions,
  type ServerExit,
} from './process/local-server.ts';
export { tiedToParent } from './process/tied-to-parent.ts';
