import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir } from '@action-platform/toolchain';
import { output } from './run.ts';

const script = fileURLToPath(new URL('../engine', import.meta.url));

/** A container engine that answers. */
export interface Engine {
  /** With which `docker` reaches it. */
  readonly environment: NodeJS.ProcessEnv;
  /** Started for us: nobody else sees its images, and they stay for the next time. */
  readonly isPrivate: boolean;
  /** Ends it, if it was started for us. */
  stop(): Promise<void>;
}

/**
 * The engine of this machine, or a private one when there is none.
 *
 * @throws when there is none and none can be had
 */
export async function startEngine(): Promise<Engine> {
  const directory = join(cacheDir(), 'container-engine');
  const stop = () => output(script, ['down', directory]);
  const started = await output(script, ['up', directory]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const variables = started.trim().split('\n').filter(Boolean);
  const entries = variables.map((line) => [
    line.slice(0, line.indexOf('=')),
    line.slice(line.indexOf('=') + 1),
  ]);
  const isPrivate = entries.length > 0;
  return {
    environment: { ...process.env, ...Object.fromEntries(entries) },
    isPrivate,
    stop: async () => {
      if (isPrivate) await stop();
    },
  };
}
