import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { localDirectory } from '@action-platform/local';
import { startMongod } from '@action-platform/local-servers';
import type { StackProcess } from '../stack-process.ts';
import { copyDatabase, type DatabaseCopy, setBack } from './database-copy.ts';

/** Copies the database of a service of a running stack. */
export async function copyOf({ directory }: StackProcess, service: ServiceName): Promise<DatabaseCopy> {
  const { keys } = localDirectory({ LOCAL_DIR: directory });
  return await copyDatabase(readFileSync(join(keys, paths.databaseUrl(service)), 'utf8').trim(), service);
}

/** Stops a stack, sets the database of a service back to a copy, and starts the stack again. */
export async function restartWith(
  stack: StackProcess,
  service: ServiceName,
  copy: DatabaseCopy,
): Promise<void> {
  await stack.stop();
  const { keys, mongod: dataDir, logs } = localDirectory({ LOCAL_DIR: stack.directory });
  const guard = { configFile: join(keys, paths.mongodConfig), keyFile: join(keys, paths.databaseKey) };
  const ports = JSON.parse(readFileSync(join(stack.directory, 'ports.json'), 'utf8')) as { mongod: number };
  const mongod = await startMongod({ port: ports.mongod, dataDir, logFile: join(logs, 'mongod.log'), guard });
  try {
    await setBack(mongod.url, service, copy);
  } finally {
    await mongod.stop();
  }
  await stack.start();
}
