import { MongoBinary } from 'mongodb-memory-server-core';

/**
 * The message this process ends with: where the program is, or in one line why it is not.
 * @typedef {{ path: string } | { error: string }} Outcome
 */

process.once('disconnect', () => process.exit());

const [version = ''] = process.argv.slice(2);

/** @type {Outcome} */
const outcome = await MongoBinary.getPath({ version }).then(
  (path) => ({ path }),
  (error) => ({ error: String(error.message).split('\n').at(-1) ?? '' }),
);
process.send?.(outcome, () => process.disconnect?.());
