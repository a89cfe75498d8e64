/** Provides the programs and documents that the local stack and the tests need, locks between processes, and the options of commands. */
export { exitCodeOf, wasAskedToStop } from './exit-code.mjs';
export { tryLock } from './lock.mjs';
/** @public bench uses it */
export { chosenOf, listOf, positive, readCommandLine } from './options.ts';
export { aptInstall } from './programs/apt-install.mjs';
export { cacheDir } from './programs/cache.mjs';
export { findDocument } from './programs/fetch-program.mjs';
export { findMongod, findNatsServer } from './programs.mjs';

/**
 * @template Options
 * @typedef {import('./options.ts').Declared<Options>} Declared
 */
