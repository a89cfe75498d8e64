import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { cacheDir } from '@action-platform/toolchain';
import { output } from './run.ts';

const script = fileURLToPath(new URL('../engine', import.meta.url));

export interface Engine {
  /** Variables with which `docker` reaches it. */
  readonly environment: NodeJS.ProcessEnv;
  /** Whether this process started the engine. Its images are kept for the next run. */
  readonly isPrivate: boolean;
  /** Ends a private engine. */
  stop(): Promise<void>;
}

/**
 * Finds the engine of this machine, or starts a private one.
 *
 * @throws Error when neither is possible
 */
export async function startEngine(): Promise<Engine> {
  const directory = join(cacheDir(), 'container-engine');
  const stop = () => output(script, ['down', directory]);
  const started = await output(script, ['up', directory]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const isPrivate = started !== '';
  return {
    environment: { ...process.env, ...parseEnv(started) },
    isPrivate,
    stop: async () => {
      if (isPrivate) await stop();
    },
  };
}
