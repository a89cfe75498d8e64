import { isMainThread } from 'node:worker_threads';
import { start } from './start.ts';

// For `node --import`, before the program's own modules, so that their instruments are real. Worker threads are not measured.
if (isMainThread) await start(process.env);
