import { openDatabase } from '../same-work/database.ts';
import { findPrincipal } from '../same-work/members.ts';
import type { Session } from '../same-work/sessions.ts';
import { runMicroservice } from './microservice.ts';

const { MONGODB_URL, MONGODB_DATABASE } = process.env;
const database = await openDatabase(MONGODB_URL!, MONGODB_DATABASE!);
await runMicroservice<Session>(
  'nest.grants.authorize',
  (session) => findPrincipal(database, session),
  () => database.close(),
);
