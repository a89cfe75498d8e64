/** Programs that the checks of `deploy/` run, fetched from Debian where they are missing. */
export { fetchRadosgw, findKustomize, findWatcher } from './programs.ts';
