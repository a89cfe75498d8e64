/** Starts processes of the platform, for the end-to-end tests. The admin command and the image do not load it. */

export { type Release, startNodeService, thisRelease } from './stack/node-service.ts';
export { untilReady } from './stack/until-ready.ts';
