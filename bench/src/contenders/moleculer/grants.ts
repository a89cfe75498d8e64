import type { Context } from 'moleculer';
import { openDatabase } from '../same-work/database.ts';
import { findPrincipal } from '../same-work/members.ts';
import type { Session } from '../same-work/sessions.ts';
import { createBroker } from './broker.ts';
import { asMoleculerError } from './errors.ts';

const { MONGODB_URL, MONGODB_DATABASE } = process.env;
const database = await openDatabase(MONGODB_URL!, MONGODB_DATABASE!);
const broker = createBroker('grants');

broker.createService({
  name: 'grants',
  actions: {
    authorize: (context: Context<Session>) => findPrincipal(database, context.params).catch(asMoleculerError),
  },
  stopped: () => database.close(),
});
await broker.start();
