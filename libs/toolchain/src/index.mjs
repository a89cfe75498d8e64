/** Gets the programs that the local stack and the tests need. */
export { ToolchainError } from './errors.mjs';
export { findMongod } from './programs/mongod.mjs';
export { findNatsServer } from './programs/nats-server.mjs';
