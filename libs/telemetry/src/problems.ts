import { type DiagLogger, diag } from '@opentelemetry/api';

/** The shortest time between two reports, in milliseconds: an exporter that fails mostly fails for a while. */
const REPORT_EVERY_MS = 60_000;
/** The longest report, in characters. */
const LONGEST = 300;

let reportedAt = Number.NEGATIVE_INFINITY;
let report: ((message: string) => void) | undefined;
let early: string | undefined;

/** Sets the function that reports problems of the SDK, at most one in a minute. `take` gets a problem from before this call at once. */
export function onTelemetryProblem(take: (message: string) => void): void {
  report = take;
  if (early !== undefined) report(early);
  early = undefined;
}

/** Receives the warnings and errors of the SDK. */
export function followProblems(): void {
  diag.setLogger(logger, { suppressOverrideMessage: true });
}

function problem(...words: readonly unknown[]): void {
  const now = performance.now();
  if (now - reportedAt < REPORT_EVERY_MS) return;
  reportedAt = now;
  const message = `telemetry: ${words.map(String).join(' ')}`.slice(0, LONGEST);
  if (report === undefined) early = message;
  else report(message);
}

const ignore = () => {};
const logger: DiagLogger = { error: problem, warn: problem, info: ignore, debug: ignore, verbose: ignore };
