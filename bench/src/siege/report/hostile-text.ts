import type { Demand } from '../../report/finding.ts';
import type { AttackResult } from '../attack/attack.ts';
import type { Stretch } from '../scenarios/hostile-sockets.ts';
import { latencyText, ms, percent, usesText } from './figures.ts';

const DEMANDED = { success: 0.999, slower: 3, larger: 1.5 };
/** The services behind the gateway, which hold no sockets but what the gateway asks of them. */
const BEHIND = new Set(['grants', 'record-store', 'mail', 'procedures', 'knowledge']);

/** What is demanded while somebody holds hostile sockets, beside the undisturbed time before. */
export function hostileDemands(who: string, before: Stretch, during: Stretch): Demand[] {
  const success = during.calls.accepted / during.calls.attempts;
  const slower = during.calls.acceptedMs.p99 / before.calls.acceptedMs.p99;
  const larger = (name: string) => during.uses[name]!.peakMB / before.uses[name]!.peakMB;
  const largest = Object.keys(during.uses)
    .filter((name) => BEHIND.has(name))
    .toSorted((a, b) => larger(b) - larger(a))[0]!;
  const memory = (what: string, name: string): Demand => ({
    what: `${who}: memory of ${what} at most`,
    demanded: `≤ ${DEMANDED.larger} × undisturbed`,
    seen: `${name} ${larger(name).toFixed(2)} × (${during.uses[name]!.peakMB.toFixed(0)} MB)`,
    isMet: larger(name) <= DEMANDED.larger,
  });
  return [
    {
      what: `${who}: calls of the others that succeed`,
      demanded: `≥ ${percent(DEMANDED.success)}`,
      seen: percent(success),
      isMet: success >= DEMANDED.success,
    },
    {
      what: `${who}: their p99`,
      demanded: `≤ ${DEMANDED.slower} × undisturbed`,
      seen: `${slower.toFixed(2)} × (${ms(during.calls.acceptedMs.p99)})`,
      isMet: slower <= DEMANDED.slower,
    },
    memory('the gateway', 'gateway'),
    memory('every service behind it', largest),
  ];
}

/** What helps to judge that. */
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
