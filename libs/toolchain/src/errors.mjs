/** A program or a package could not be had. The message is for people: what is wrong and what to do about it. */
export class ToolchainError extends Error {}

/** One source cannot provide a program here; the next one may. */
export class SourceUnavailable extends Error {}
