/*
 * Loaded into a process of the service (`--import`), which it kills at the step of a write that KILLED_AT names.
 */
import { Collection } from 'mongodb';

/** The command on the execution that begins or ends at each step, and whether it is made before the kill. */
const steps: Readonly<Record<string, readonly [command: string, isMade: boolean]>> = {
  opened: ['insertOne', true],
  leased: ['findOneAndUpdate', true],
  answered: ['updateOne', false],
  settled: ['updateOne', true],
};

const [command = '', isMade] = steps[process.env.KILLED_AT!] ?? [];
const commands = Collection.prototype as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
const make = commands[command];

if (make !== undefined)
  commands[command] = async function (this: Collection, ...args) {
    const isOfExecution = this.collectionName === 'executions';
    const made = isOfExecution && !isMade ? undefined : await make.apply(this, args);
    if (isOfExecution) process.kill(process.pid, 'SIGKILL');
    return made;
  };
