import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '@action-platform/testing';

/** A TCP proxy in front of an address, whose connections a test cuts. */
export async function breakableProxy(to: string) {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {}).on('close', () => into.destroy());
      from.pipe(into);
    }
  });
  const own = await listen(server);
  const cut = () =>
    Promise.all([...sockets].map((socket) => !socket.closed && once(socket.destroy(), 'close')));
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    close: async () => {
      server.close();
      await cut();
    },
  };
}
