/**
 * Loaded before a process that is profiled: SIGUSR2 starts the profiler, the next one stops it and writes
 * `$BENCH_PROFILE_FILE.cpuprofile`. So a profile holds what was measured and not the start.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname } from 'node:path';

const file = `${process.env.BENCH_PROFILE_FILE}.cpuprofile`;
const SAMPLE_EVERY_US = 500;
let session: Session | undefined;
let turn = Promise.resolve();

process.on('SIGUSR2', () => {
  turn = turn.then(session === undefined ? start : stop);
});

async function start(): Promise<void> {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
  await session.post('Profiler.start');
}

async function stop(): Promise<void> {
  const { profile } = await session!.post('Profiler.stop');
  session!.disconnect();
  session = undefined;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, JSON.stringify(profile));
  renameSync(`${file}.part`, file);
}
