/** Programs, containers and images that only the checks of `deploy/` need, and what watches the platform. */
export { startEngine } from './engine.ts';
export { findKustomize, findWatcher } from './programs.ts';
export { output } from './run.ts';
export { imagesOfStandIns, provideImages } from './stand-ins.ts';
