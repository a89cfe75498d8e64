import assert from 'node:assert/strict';
import type { Arbitrary } from 'fast-check';
import { type DocumentedRoute, documentedRoutes, undocumented } from '../../contract/openapi.ts';
import type { Fuzzed } from '../references.ts';
import { type RawAnswer, rawAnswers } from './answers.ts';
import { type HttpRequest, httpRequests } from './requests.ts';
import { requireSound } from './sound-answer.ts';
import { talk } from './talk.ts';

/** Codes of malformed requests and missing routes, which any request may get. */
const ANYWHERE: readonly unknown[] = ['invalid_request', 'route_not_found', 'method_not_allowed'];

/** Requests to a gateway, with the properties of its answers. */
export class HttpRequests {
  readonly arbitrary: Arbitrary<HttpRequest>;
  readonly #gateway: string;
  readonly #routes: readonly DocumentedRoute[];

  private constructor(gateway: string, routes: readonly DocumentedRoute[], fuzzed: Fuzzed) {
    this.#gateway = gateway;
    this.#routes = routes;
    this.arbitrary = httpRequests(fuzzed);
  }

  /** Reads the OpenAPI document of the gateway. */
  static async to(gateway: string, fuzzed: Fuzzed): Promise<HttpRequests> {
    return new HttpRequests(gateway, await documentedRoutes(gateway), fuzzed);
  }

  /**
   * @returns the answers.
   * @throws AssertionError when a whole request has not one answer, or an answer is not documented for its route
   */
  async check({ route: routeName, isWhole, isHead, writes }: HttpRequest): Promise<RawAnswer[]> {
    const answers = rawAnswers(await talk(this.#gateway, { writes, isWhole }), isHead);
    const final = answers.filter(({ status }) => status >= 200);
    if (isWhole) assert.equal(final.length, 1, `one whole request gets ${final.length} answers`);
    const route = this.#routes.find(({ method, path }) => `${method} ${path}` === routeName);
    for (const answer of answers) {
      const { status, headers, body } = answer;
      const code = requireSound(answer);
      assert(status < 500, `a healthy platform answers ${status}: ${body.slice(0, 300)}`);
      if (route === undefined || status === 100 || ANYWHERE.includes(code)) continue;
      const found = undocumented(route, { status, headers, text: body });
      assert(found.length === 0, `${routeName} answers with ${found.join(', ')}`);
    }
    return answers;
  }
}
