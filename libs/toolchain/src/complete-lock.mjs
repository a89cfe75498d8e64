import { readFileSync, writeFileSync } from 'node:fs';
import { withEveryPlatform } from './lock-file.mjs';

/** `npm run lock`: completes the lock files named on the command line, see {@link withEveryPlatform}. */
for (const file of process.argv.slice(2)) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(
    file,
    `${JSON.stringify({ ...lock, packages: withEveryPlatform(lock.packages) }, null, 2)}\n`,
  );
}
