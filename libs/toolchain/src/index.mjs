/** Provides the programs that the local stack and the tests need, and locks between processes. */
export { exitCodeOf } from './exit-code.mjs';
export { tryLock } from './lock.mjs';
export { aptInstall } from './programs/apt-install.mjs';
export { cacheDir } from './programs/cache.mjs';
export { findMongod, findNatsServer } from './programs.mjs';
