/** The thread of `HostileServers`: answers each message, whether its servers are hostile now, with how often each misbehaved. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { endpointKinds, HostileEndpoint } from './hostile-endpoint.ts';
import { HostileMailServer, mailKinds } from './hostile-mail.ts';

// Of this thread alone (Linux): an attacker's servers have processors of their own.
setPriority(constants.priority.PRIORITY_LOW);
const port = parentPort!;
const pem: string = workerData;
const endpoints = await Promise.all(endpointKinds.map((kind) => HostileEndpoint.start(kind)));
const mail = await Promise.all(mailKinds.map((kind) => new HostileMailServer(kind, pem).start()));
const servers = [...endpoints, ...mail];
port.on('message', (isHostile: boolean) => {
  for (const server of servers) server.isHostile = isHostile;
  port.postMessage(servers.map(({ kind, misbehaved }) => [kind, misbehaved]));
});
port.postMessage({ urls: endpoints.map(({ url }) => url), mailPorts: mail.map((server) => server.port) });
