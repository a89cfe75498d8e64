import type { Requirement } from '../../report/finding.ts';
import type { AttackResult } from '../attack/attack.ts';
import type { Stretch } from '../scenarios/hostile-sockets.ts';
import { latencyText, ms, percent, usesText } from './figures.ts';

const REQUIRED = { p99Ms: 150, larger: 1.5 };
/** The services behind the gateway: an attack on its sockets reaches them only through its requests. */
const BEHIND = new Set(['grants', 'record-store', 'mail', 'procedures', 'knowledge']);

/** The requirements during an attack with hostile sockets; memory is compared with the undisturbed time before. */
export function hostileRequirements(who: string, before: Stretch, during: Stretch): Requirement[] {
  const { attempts, accepted, acceptedMs } = during.calls;
  const larger = (name: string) => during.uses[name]!.peakMB / before.uses[name]!.peakMB;
  const largest = Object.keys(during.uses)
    .filter((name) => BEHIND.has(name))
    .toSorted((a, b) => larger(b) - larger(a))[0]!;
  const memory = (what: string, name: string): Requirement => ({
    what: `${who}: memory of ${what} at most`,
    required: `≤ ${REQUIRED.larger} × undisturbed`,
    seen: `${name} ${larger(name).toFixed(2)} × (${during.uses[name]!.peakMB.toFixed(0)} MB)`,
    isMet: larger(name) <= REQUIRED.larger,
  });
  return [
    {
      what: `${who}: calls of the others that fail`,
      required: '0',
      seen: `${attempts - accepted} of ${attempts}`,
      isMet: accepted === attempts,
    },
    {
      what: `${who}: their p99`,
      required: `≤ ${ms(REQUIRED.p99Ms)}`,
      seen: ms(acceptedMs.p99),
      isMet: acceptedMs.p99 <= REQUIRED.p99Ms,
    },
    memory('the gateway', 'gateway'),
    memory('every service behind it', largest),
  ];
}

/** Figures for judging that. */
export function hostileNotes(
  who: string,
  { calls, uses, mostDescriptors }: Stretch,
  { kinds, cpu }: AttackResult,
): string[] {
  const held = Object.entries(kinds).map(
    ([name, { most, mean, opened, refused }]) =>
      `${name} ${mean} (most ${most}, opened ${opened}, refused ${refused})`,
  );
  return [
    `${who}: ${latencyText(calls.acceptedMs)}; refused ${calls.refused}, others ${JSON.stringify(calls.others)}`,
    `  sockets held on average: ${held.join(', ')}; gateway's descriptors at most ${mostDescriptors}`,
    `  attacker ${percent(cpu)} of a core; generator ${percent(calls.generatorCpu)}, late ${latencyText(calls.latenessMs)}`,
    `  ${usesText(uses)}`,
  ];
}
