import fc from 'fast-check';
import type { FuzzedPlatform } from '../environment/fuzzed-platform.ts';
import { afterwards, allHold, requireThat, type Target } from '../target.ts';
import { type HttpRequest, writesOf } from './framing.ts';
import { httpRequests } from './http-requests.ts';
import { judgeAnswerOf } from './judge.ts';
import { rawAnswers } from './raw-answers.ts';
import { talk } from './talk.ts';

/** Requests in flight at the same time. */
const AT_ONCE = 8;

/** The HTTP interface of a whole platform. */
export function httpTarget(platform: FuzzedPlatform): Target<HttpRequest[]> {
  return {
    name: 'http',
    inputs: fc.array(httpRequests, { maxLength: AT_ONCE }),
    check: async (requests) => {
      const answered = allHold(requests.map((request) => checkRequest(platform, request)));
      await allHold([answered, afterwards(answered, () => platform.check())]);
    },
    close: async () => {},
  };
}

async function checkRequest({ gateway, routes, placeholders }: FuzzedPlatform, request: HttpRequest) {
  const writes = writesOf(request, placeholders);
  const received = await talk(gateway, { writes, isWhole: request.isWhole });
  const answers = rawAnswers(received, /head/i.test(request.text));
  const final = answers.filter(({ status }) => status >= 200);
  if (request.isWhole) requireThat(final.length === 1, `one whole request gets ${final.length} answers`);
  const route = routes.find(({ method, path }) => `${method} ${path}` === request.route);
  for (const answer of answers) judgeAnswerOf(route, answer);
}
