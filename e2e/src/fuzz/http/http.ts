import assert from 'node:assert/strict';
import { type RawAnswer, rawAnswers } from '@action-platform/testing';
import { documentedRoutes, undocumented } from '../../contract/openapi.ts';
import type { Fuzzed } from '../references.ts';
import { type HttpRequest, httpRequests } from './requests.ts';
import { requireSound } from './sound-answer.ts';
import { talk } from './talk.ts';

/** Codes of malformed requests and missing routes, which any request may get. */
const ANYWHERE: readonly unknown[] = ['invalid_request', 'route_not_found', 'method_not_allowed'];

/** Requests to a gateway, and the check of its answers to one of them. */
export async function requestsTo(gateway: string, fuzzed: Fuzzed) {
  const routes = await documentedRoutes(gateway);
  /**
   * @returns the answers.
   * @throws AssertionError when a whole request has not one answer, or an answer is not documented for its route
   */
  const check = async ({ route: routeName, isWhole, isHead, writes }: HttpRequest): Promise<RawAnswer[]> => {
    const answers = rawAnswers(await talk(gateway, { writes, isWhole }), isHead);
    const final = answers.filter(({ status }) => status >= 200);
    if (isWhole) assert.equal(final.length, 1, `one whole request gets ${final.length} answers`);
    const route = routes.find(({ method, path }) => `${method} ${path}` === routeName);
    for (const answer of answers) {
      const { status, headers, body } = answer;
      const code = requireSound(answer);
      assert(status < 500, `a healthy platform answers ${status}: ${body.slice(0, 300)}`);
      if (route === undefined || status === 100 || ANYWHERE.includes(code)) continue;
      const found = undocumented(route, { status, headers, text: body });
      assert(found.length === 0, `${routeName} answers with ${found.join(', ')}`);
    }
    return answers;
  };
  return { arbitrary: httpRequests(fuzzed), check };
}
