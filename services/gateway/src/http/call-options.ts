import { type BusRequestOptions, busHeaders } from '@action-platform/bus';
import { type ApiResponse, timeLeft } from './exchange.ts';

/** The options of a bus request that is made for an exchange. */
export function callOptions(
  response: ApiResponse,
  headers: Readonly<Record<string, string>> = {},
): BusRequestOptions {
  return {
    timeoutMs: timeLeft(response),
    headers: { [busHeaders.requestId]: response.locals.requestId, ...headers },
  };
}
