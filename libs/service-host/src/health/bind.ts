import type { ListenOptions, Server } from 'node:net';

/** The address of a server. */
interface BindOptions extends ListenOptions {
  readonly host: string;
  readonly port: number;
  /** The environment variable by which another port can be chosen. */
  readonly variable: string;
}

/** Resolves when a server listens. When another process has its port, the error says in one line what to do. */
export async function bind(server: Server, { variable, ...options }: BindOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    const { host, port } = options;
    const taken = `port ${port} of ${host} is in use: stop what uses it, or set ${variable} to another`;
    reject(error.code === 'EADDRINUSE' ? new Error(taken) : error);
  });
  server.listen(options, resolve);
  await promise;
}
