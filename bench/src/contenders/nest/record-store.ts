import { openDatabase } from '../same-work/database.ts';
import type { Principal } from '../same-work/members.ts';
import { operationsOn } from '../same-work/operations.ts';
import { Records } from '../same-work/records.ts';
import { runMicroservice } from './microservice.ts';

interface Message {
  readonly operation: string;
  readonly principal: Principal;
  readonly input: unknown;
}

const { MONGODB_URL, MONGODB_DATABASE } = process.env;
const database = await openDatabase(MONGODB_URL!, MONGODB_DATABASE!);
const runOperation = operationsOn(new Records(database));
await runMicroservice<Message>(
  'nest.operations.run',
  ({ operation, principal, input }) => runOperation(operation, principal, input),
  () => database.close(),
);
