import type { Context } from 'moleculer';
import { openDatabase } from '../same-work/database.ts';
import type { Principal } from '../same-work/members.ts';
import { operationsOn } from '../same-work/operations.ts';
import { Records } from '../same-work/records.ts';
import { createBroker } from './broker.ts';
import { asMoleculerError } from './errors.ts';

const { MONGODB_URL, MONGODB_DATABASE } = process.env;
const database = await openDatabase(MONGODB_URL!, MONGODB_DATABASE!);
const runOperation = operationsOn(new Records(database));
const broker = createBroker('record-store');

broker.createService({
  name: 'operations',
  actions: {
    run: (context: Context<{ operation: string; input: unknown }, { principal: Principal }>) => {
      const { operation, input } = context.params;
      return runOperation(operation, context.meta.principal, input).catch(asMoleculerError);
    },
  },
  stopped: () => database.close(),
});
await broker.start();
