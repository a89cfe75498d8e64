import type { Requirement } from '../../report/finding.ts';
import type { OpenCall, OpenResult } from '../load/open-load.ts';
import type { OverloadMeasured } from '../scenarios/overload.ts';
import { latencyText, ms, percent, usesText } from './figures.ts';

const REQUIRED = { slower: 3, growth: 0.1, recoveryMs: 5000, quietSuccess: 0.99 };
/** mongod caches the data, up to a limit; the generator is not part of the platform. */
const GROWS_WITH_DATA = new Set(['mongod', 'load generator']);
const STEP_MS = 500;

/** The requirements on a platform under overload. */
export function overloadRequirements(measured: OverloadMeasured): Requirement[] {
  const { capacity, tenth, half, overloaded, quiet, quietAlone, uses, overMs } = measured;
  const slowerThan = (what: string, p99: number): Requirement => ({
    what: `p99 of what is accepted, beside ${what}`,
    required: `≤ ${REQUIRED.slower} × ${ms(p99)}`,
    seen: `${(overloaded.acceptedMs.p99 / p99).toFixed(2)} × (${ms(overloaded.acceptedMs.p99)})`,
    isMet: overloaded.acceptedMs.p99 <= REQUIRED.slower * p99,
  });
  const others = Object.values(overloaded.others).reduce((total, count) => total + count, 0);
  const growing = Object.entries(uses).filter(([name]) => !GROWS_WITH_DATA.has(name));
  const [fastest, { growthMB, meanMB }] = growing.toSorted(([, a], [, b]) => growthOf(b) - growthOf(a))[0]!;
  const during = quiet.calls.filter(({ at }) => at < overMs);
  const success = during.filter(({ isAccepted }) => isAccepted).length / during.length;
  const recovered = recoveryMs(quiet.calls, overMs, REQUIRED.slower * quietAlone.acceptedMs.p99);
  return [
    slowerThan('a tenth of capacity', tenth.acceptedMs.p99),
    slowerThan('half of capacity', half.acceptedMs.p99),
    slowerThan('the closed loop', capacity.latencyMs.p99),
    {
      what: 'all else is 503 with Retry-After',
      required: '0 others',
      seen: `${others} of ${overloaded.attempts} ${others === 0 ? '' : JSON.stringify(overloaded.others)}`,
      isMet: others === 0,
    },
    {
      what: 'memory is flat in the last two thirds',
      required: `≤ ${percent(REQUIRED.growth)} more`,
      seen: `${fastest}: ${growthMB.toFixed(0)} MB more, ${percent(growthMB / meanMB)}`,
      isMet: growthMB / meanMB <= REQUIRED.growth,
    },
    {
      what: 'back to normal for the quiet Workspace',
      required: `≤ ${ms(REQUIRED.recoveryMs)} after`,
      seen: recovered === undefined ? 'not at all' : ms(recovered),
      isMet: recovered !== undefined && recovered <= REQUIRED.recoveryMs,
    },
    {
      what: 'calls of the quiet Workspace that succeed',
      required: `≥ ${percent(REQUIRED.quietSuccess)}`,
      seen: `${percent(success)} of ${during.length}`,
      isMet: success >= REQUIRED.quietSuccess,
    },
  ];
}

const growthOf = ({ growthMB, meanMB }: { growthMB: number; meanMB: number }) => growthMB / meanMB;

/**
 * The recovery time after the load, in milliseconds: from then on, in every half second, all calls are accepted and most take no
 * longer than `normalMs`. A single slow call later does not count.
 */
function recoveryMs(calls: readonly OpenCall[], overMs: number, normalMs: number): number | undefined {
  const since = calls.filter(({ at }) => at >= overMs);
  const lastStep = Math.floor((since.at(-1)!.at - overMs) / STEP_MS);
  const isNormal = (step: number) => {
    const within = since.filter(({ at }) => Math.floor((at - overMs) / STEP_MS) === step);
    const quick = within.filter(({ ms }) => ms <= normalMs);
    return quick.length >= within.length / 2 && within.every(({ isAccepted }) => isAccepted);
  };
  let step = lastStep;
  while (step >= 0 && isNormal(step)) step--;
  return step === lastStep ? undefined : (step + 1) * STEP_MS;
}

/** Figures for judging them. */
export function overloadNotes(measured: OverloadMeasured): string[] {
  const { capacity, tenth, half, overloaded, quiet, quietAlone, uses } = measured;
  const perSecond = (capacity.calls / capacity.seconds).toFixed(0);
  return [
    `capacity: ${perSecond} calls/s with 64 clients in a closed loop; ${latencyText(capacity.latencyMs)}; errors ${capacity.errors}`,
    `a tenth: ${resultText(tenth)}`,
    `half: ${resultText(half)}`,
    `three times: ${resultText(overloaded)}`,
    `  accepted, from when they were really sent: ${latencyText(overloaded.acceptedOnceSentMs)}`,
    `  accepted, p99 in each second: ${overloaded.acceptedMsBySecond.map(({ p99 }) => p99.toFixed(0)).join(' ')} ms`,
    `  Retry-After ${JSON.stringify(overloaded.retryAfter)}; refusals ${latencyText(overloaded.refusedMs)}; generator ${percent(overloaded.generatorCpu)} of a core`,
    `quiet Workspace alone: ${resultText(quietAlone)}`,
    `quiet Workspace meanwhile and after: ${resultText(quiet)}`,
    usesText(uses),
  ];
}

function resultText({
  attempts,
  accepted,
  refused,
  others,
  acceptedMs,
  latenessMs,
  mostWaiting,
}: OpenResult): string {
  return [
    `${attempts} attempts, accepted ${percent(accepted / attempts)}, refused ${percent(refused / attempts)}, others ${JSON.stringify(others)}`,
    latencyText(acceptedMs),
    `sent late p99 ${ms(latenessMs.p99)}, at most ${ms(latenessMs.max)}, ${mostWaiting} waiting for a connection`,
  ].join('; ');
}
