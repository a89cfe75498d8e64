/** Runs a real mongod and a real nats-server as child processes on this machine. */
export { startMongod } from './mongod/mongod.ts';
export { startNatsServer } from './nats-server.ts';
export { openServerLog, tiedToParent } from './process/child.ts';
export { platformProcess } from './process/platform-process.ts';
export { freePort } from './process/port.ts';
export type { LocalServer } from './process/server.ts';
