/** Measures the tools at /mcp beside the same calls over HTTP: `npm run bench -- mcp --help`. */
import type { Api } from '../contenders/api.ts';
import { startPlatform } from '../contenders/platform.ts';
import { type Requests, startLoadGenerator } from '../load/load.ts';
import { requirementsText } from '../measure/requirement.ts';
import { measureRounds } from '../measure/rounds.ts';
import { summarize } from '../measure/summary.ts';
import { tableText } from '../measure/text.ts';
import { chosenOf } from '../options.ts';
import { say } from '../output.ts';
import { checkout, runCommand } from '../run-command.ts';
import { callOf, samplePayload } from '../scenarios.ts';
import { asTool } from './as-tool.ts';
import { faceRequirements } from './requirements.ts';

const QUOTA_BYTES = 1e12;

/** The calls, over HTTP. Each payload is a list of customers of some 300 bytes. */
const calls: Readonly<Record<string, (api: Api) => Promise<Requests>>> = {
  'push-1kb': async (api) => {
    const push = { collection_id: await api.newCollection(), payload: customers(3) };
    return callOf(api, 'record_store.push_record', [{ ...push, idempotency_key: '$unique' }]);
  },
  'get-1kb': (api) => get(api, customers(3)),
  'get-100kb': (api) => get(api, customers(310)),
};

const usage = `npm run bench -- mcp [options]

  --only push-1kb          calls to measure: ${Object.keys(calls).join(', ')}
  --clients 16             calls at the same time
  --rounds 6               how often everything is measured, in turns
  --seconds 5              length of one measurement; --warm-up 2 comes before it, unmeasured
  --platform FOLDER        checkout of the platform; variables may follow (default: this one)`;

await runCommand({
  name: 'mcp',
  usage,
  defaults: { only: '', clients: 16, rounds: 6, seconds: 5, 'warm-up': 2, platform: checkout },
  run: async (options, bench) => {
    const http = await startPlatform('http', options.platform, bench);
    const mcp = { ...http, name: 'mcp' };
    const api = await http.workspace();
    await http.setQuota(api.workspace, QUOTA_BYTES);
    const comparisons = [];
    for (const what of chosenOf(options.only, Object.keys(calls))) {
      const requests = await calls[what]!(api);
      const entries = [
        { contender: mcp, requests: [asTool(requests)] },
        { contender: http, requests: [requests] },
      ];
      comparisons.push({ what, clients: options.clients, entries });
    }
    const rounds = { ...options, warmUpSeconds: options['warm-up'] };
    const measurements = await measureRounds(comparisons, rounds, startLoadGenerator(bench.stops));
    const tables = summarize(measurements);
    const requirements = faceRequirements(tables, measurements);
    const text = [...tables.map(tableText), requirementsText('mcp', requirements)].join('\n');
    say(text);
    return { mcp: { requirements, text, measured: { tables, measurements } } };
  },
});

function customers(count: number): object {
  return { customers: Array.from({ length: count }, (_, visits) => samplePayload(visits)) };
}

async function get(api: Api, payload: object): Promise<Requests> {
  return callOf(api, 'record_store.get_record', [await api.newRecord(payload)]);
}
