/** A program or a package cannot be provided. The message is for people: the cause and the remedy. */
export class ToolchainError extends Error {}

/** A source that cannot provide a program on this machine; the next source may. */
export class SourceUnavailable extends Error {}
