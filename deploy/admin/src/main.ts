import { admin } from './admin.ts';

process.exitCode = await admin(process.argv.slice(2), process.env, process);
