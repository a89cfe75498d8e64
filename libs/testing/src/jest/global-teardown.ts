import { stopRun } from './global-setup.ts';

/** Jest's global teardown. */
export default async function globalTeardown(): Promise<void> {
  await stopRun();
}
