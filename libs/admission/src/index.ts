export { AdaptiveLimit } from './adaptive-limit.ts';
export { Admission } from './admission.ts';
export { Allowance } from './allowance.ts';
export { Demand } from './demand.ts';
export { type Party, readParty, writeParty } from './party.ts';
export { Places } from './places.ts';
