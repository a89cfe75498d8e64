import { admin } from './admin.ts';

const code = await admin(process.argv.slice(2), process.env, process);
// A connection to a bus that hangs would keep the process alive.
await Promise.all([process.stdout, process.stderr].map(written));
process.exit(code);

/** Resolves when the operating system has taken all output of a stream, or its reader has closed it. */
async function written(stream: NodeJS.WriteStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('error', () => resolve());
  stream.write('', () => resolve());
  await promise;
}
