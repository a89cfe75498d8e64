/** Programs that only the checks of `deploy/` need, and what watches the platform. */
export { findCompose, findKustomize, findWatcher } from './programs.ts';
