/** Gets the programs that the local stack and the tests need, and keeps processes out of each other's way. */
export { exitCodeOf } from './exit-code.mjs';
export { tryLock } from './lock.mjs';
export { findMongod, findNatsServer } from './programs.mjs';
export { cacheDir } from './sources/cache.mjs';
