import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout, listOf, positive } from './command-line.ts';
import { type TelemetryMode, telemetryMode } from './contenders/platform/telemetry.ts';

/** The options of `npm run bench`. */
export interface Options {
  /** Checkouts of the platform; all others are compared with the first. */
  readonly platforms: readonly string[];
  /** The telemetry modes of the platform; one version for each. */
  readonly telemetry: readonly TelemetryMode[];
  /** Names of the scenarios to run; empty means all. */
  readonly only: readonly string[];
  /** Names of the contenders beside the platform; all when empty. */
  readonly contenders: readonly string[];
  /** How many clients call at the same time; one measurement each. */
  readonly clients: readonly number[];
  readonly rounds: number;
  /** How long one measurement takes, and the unmeasured calls before it. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Processes to profile from start to end, such as `record-store`. */
  readonly profile: readonly string[];
  /** Node.js flags for every process of every contender. */
  readonly nodeFlags: readonly string[];
  /** The folder for results and profiles. */
  readonly out: string;
  /** Asks for the memory study in place of the measurements: how many revisions of how many bytes are streamed. */
  readonly historyMemory: { readonly revisions: number; readonly bytes: number } | undefined;
}

export const usage = `npm run bench -- [options]

  --only push,get          scenarios to run
  --contenders monolith    contenders to run beside the platform; "none" for the platform alone
  --clients 1,64,256       calls at the same time
  --rounds 5               how often everything is measured, in turn
  --seconds 10             length of one measurement; --warm-up 3 comes before it, unmeasured
  --quick                  1 round of 2 seconds with 64 clients, unless said otherwise
  --platform FOLDER        checkout of the platform; again to compare versions (default: this one)
  --telemetry off,default,all  compares what it costs: off, by default, every request traced (default: off); also
                           of its parts: metrics, retroactive
  --profile record-store   writes a CPU profile of a process (--cpu-prof); again for more
  --node-flags FLAGS       for every process alike, such as "--max-semi-space-size=4"
  --out FOLDER             where results go (default: .local/bench/results)
  --history-memory [--revisions 5000] [--bytes 100000]
                           measures what streaming one long history takes of memory, instead`;

/** Reads the command line; an error says in one line what is wrong. */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      contenders: { type: 'string', default: '' },
      clients: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      quick: { type: 'boolean', default: false },
      platform: { type: 'string', multiple: true },
      telemetry: { type: 'string', default: 'off' },
      profile: { type: 'string', multiple: true, default: [] },
      'node-flags': { type: 'string', default: '' },
      out: { type: 'string', default: `${checkout}/.local/bench/results` },
      'history-memory': { type: 'boolean', default: false },
      revisions: { type: 'string', default: '5000' },
      bytes: { type: 'string', default: '100000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const quick = { clients: '64', rounds: '1', seconds: '2', 'warm-up': '1' };
  const thorough = { clients: '1,64,256', rounds: '5', seconds: '10', 'warm-up': '3' };
  const chosen = { ...(values.quick ? quick : thorough), ...values };
  return {
    platforms: (values.platform ?? [checkout]).map((folder) => resolve(folder)),
    telemetry: listOf(values.telemetry).map(telemetryMode),
    only: listOf(values.only),
    contenders: listOf(values.contenders),
    clients: listOf(chosen.clients).map((text) => positive('--clients', text)),
    rounds: positive('--rounds', chosen.rounds),
    seconds: positive('--seconds', chosen.seconds),
    warmUpSeconds: positive('--warm-up', chosen['warm-up']),
    profile: values.profile,
    nodeFlags: values['node-flags'].split(' ').filter((flag) => flag !== ''),
    out: resolve(values.out),
    historyMemory: values['history-memory']
      ? { revisions: positive('--revisions', values.revisions), bytes: positive('--bytes', values.bytes) }
      : undefined,
  };
}
