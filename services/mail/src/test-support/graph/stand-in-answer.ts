import { randomUUID } from 'node:crypto';

/** An answer of the stand-in. */
export interface StandInAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** An error of Microsoft Graph, in the form of "Microsoft Graph error responses and resource types". */
export function graphError(status: number, code: string, headers = {}): StandInAnswer {
  // Its message may quote what the caller sent, so none may reach a log.
  const message = `SECRET-DETAIL of ${code}`;
  const innerError = { date: new Date().toISOString(), 'request-id': randomUUID() };
  return { status, headers, body: { error: { code, message, innerError } } };
}

/** An error of the token endpoint, in the form of "Microsoft Entra authentication and authorization error codes". */
export function signInError(error: string, number: number, status = 400): StandInAnswer {
  const error_description = `AADSTS${number}: SECRET-DETAIL of ${error}. Trace ID: ${randomUUID()}`;
  return { status, body: { error, error_description, error_codes: [number], trace_id: randomUUID() } };
}
