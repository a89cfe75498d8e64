import { freePort, type LocalServer, startServer } from '@action-platform/local-servers';

interface HttpProgram {
  /** Its name for people. */
  readonly title: string;
  /** The arguments of Node.js: a script and its own arguments. */
  readonly args: readonly string[];
  /** Its variables, besides `PORT`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly port?: number;
  /** Whether the program serves no HTTP, and so counts as ready at once. */
  readonly isSilent?: boolean;
}

/** A process that runs until the bench stops it. */
export interface RunningProgram extends Pick<LocalServer, 'pid' | 'url'> {
  /** Rejects when the process ends by itself; the error names its log. */
  readonly failed: Promise<never>;
}

/** Starts a program and resolves when its `/readyz` answers 200. `stops` ends it, and the kernel ends it with a killed bench. */
export async function startProgram(
  { title, args, environment, logFile, isSilent = false, ...given }: HttpProgram,
  stops: AsyncDisposableStack,
): Promise<RunningProgram> {
  const port = given.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { pid, exited, stop } = await startServer({
    title,
    program: process.execPath,
    args,
    env: { ...process.env, NODE_ENV: 'production', ...environment, PORT: String(port) },
    logFile,
    readyUrl: isSilent ? undefined : `${url}/readyz`,
    explain: () => undefined,
  });
  let isStopping = false;
  stops.defer(async () => {
    isStopping = true;
    await stop();
  });
  const failed = exited.then(({ reason }) => {
    if (isStopping) return new Promise<never>(() => {});
    throw new Error(`${title} ended (${reason}): see ${logFile}`);
  });
  failed.catch(() => {});
  return { pid, url, failed };
}
