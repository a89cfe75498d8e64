/** Runs servers as child processes on this machine: mongod, nats-server and others. */
export { startMongod } from './mongod/mongod.ts';
export { startNatsServer } from './nats-server.ts';
export { processesBelow } from './process/below.ts';
export { tiedToParent } from './process/child.ts';
export { platformProcess, platformVariables } from './process/platform-process.ts';
export { freePort } from './process/port.ts';
/** @public bench uses it */
export { residentMib } from './process/resident-mib.ts';
export { type Ending, type LocalServer, type RunningProcess, startServer } from './process/server.ts';
export { hasRadosgw, type Radosgw, radosgwFolder, startRadosgw } from './radosgw.ts';
