import { isMainThread } from 'node:worker_threads';
import { start } from './start.ts';

// For `node --import`: before everything else, so that what is made there is observed. Threads of a process are part of it.
if (isMainThread) await start(process.env);
