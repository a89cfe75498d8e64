/** Programs that the checks of `deploy/` run, fetched from Debian where they are missing. */
export { findKustomize, findWatcher } from './programs.ts';
