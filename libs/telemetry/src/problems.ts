import { type DiagLogger, diag } from '@opentelemetry/api';

/** How often a problem is told, in milliseconds: what cannot be exported mostly cannot be for a while. */
const TOLD_EVERY_MS = 60_000;
/** The longest that is told of one, in characters. */
const LONGEST = 300;

let toldAt = Number.NEGATIVE_INFINITY;
let tell: ((message: string) => void) | undefined;
let early: string | undefined;

/** Takes what is wrong with the export of telemetry: one problem in a minute, the one from before it was asked for too. */
export function onTelemetryProblem(told: (message: string) => void): void {
  tell = told;
  if (early !== undefined) tell(early);
  early = undefined;
}

/** Lets the SDK say what is wrong through the log of the process. */
export function followProblems(): void {
  diag.setLogger(logger, { suppressOverrideMessage: true });
}

function problem(...words: readonly unknown[]): void {
  const now = performance.now();
  if (now - toldAt < TOLD_EVERY_MS) return;
  toldAt = now;
  const message = `telemetry: ${words.map(String).join(' ')}`.slice(0, LONGEST);
  if (tell === undefined) early = message;
  else tell(message);
}

const ignore = () => {};
const logger: DiagLogger = { error: problem, warn: problem, info: ignore, debug: ignore, verbose: ignore };
