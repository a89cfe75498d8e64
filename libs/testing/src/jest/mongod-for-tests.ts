import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMongod } from '@action-platform/local-servers';

/** A mongod for one test run. */
export interface TestMongod {
  readonly url: string;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Starts a mongod whose data is gone after the run, also after one that is broken off. */
export async function startTestMongod(options: { onProgress: (line: string) => void }): Promise<TestMongod> {
  const directory = mkdtempSync(join(tmpdir(), 'action-platform-test-'));
  const removeData = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  const mongod = await startMongod({
    dataDir: join(directory, 'data'),
    logFile: join(directory, 'mongod.log'),
    onProgress: options.onProgress,
  }).catch((error: unknown) => {
    removeData();
    throw error;
  });
  const breakOff = () => {
    process.kill(mongod.pid, 'SIGKILL');
    removeData();
  };
  process.once('exit', breakOff);
  for (const signal of stopSignals) process.once(signal, () => process.exit(128 + constants.signals[signal]));
  return {
    url: mongod.url,
    stop: async () => {
      process.off('exit', breakOff);
      await mongod.stop();
      removeData();
    },
  };
}
