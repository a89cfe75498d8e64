/** Programs that only the checks of `deploy/` need. */
export { findCompose, findKustomize } from './programs.ts';
