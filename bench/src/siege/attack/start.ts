import { fileURLToPath } from 'node:url';
import { startWorker } from '../../environment/worker.ts';
import type { Attack, AttackJob, AttackResult } from './attack.ts';

/** The platform has priority on the processors. */
const NICENESS = 10;

/** Starts an attack in a process of its own; resolves when every socket was opened once, with a function that ends the attack. */
export async function startAttack(
  attack: Attack,
  stops: AsyncDisposableStack,
): Promise<() => Promise<AttackResult>> {
  const script = fileURLToPath(new URL('attacker.ts', import.meta.url));
  const attacker = await startWorker<AttackJob, AttackResult | undefined>(
    'An attacker',
    script,
    stops,
    NICENESS,
  );
  await attacker.run({ begin: attack });
  return async () => (await attacker.run({ end: true }))!;
}
