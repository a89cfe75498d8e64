export { requireAgentSettings, type WorkloadIssuer } from './agents.ts';
export { type ConsoleSignIn, consoleSignIn } from './console.ts';
export { type McpResource, mcpAddress, mcpAuthorization, mcpResource } from './mcp-authorization.ts';
export { ownVariables, ownVariablesOf } from './own-variables.ts';
export { type Environment, readConfig } from './read-config.ts';
export * from './sessions.ts';
export { optionalPort, optionalText, wholeNumber } from './variables.ts';
export { WRONG_CONFIGURATION_EXIT, WrongConfiguration } from './wrong-configuration.ts';
