/** A program or a package cannot be provided. The message is for people: the cause and the remedy. */
export class ToolchainError extends Error {}

/** One source cannot provide a program here; the next one may. */
export class SourceUnavailable extends Error {}
