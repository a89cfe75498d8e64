import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalPlatform } from '../../local-platform.ts';
import { endWith, say } from '../../on-a-stack.ts';
import { percentile } from '../../percentile.ts';
import { checkImported } from '../checkers/imported.ts';
import { report, type Suite } from '../run.ts';
import { importBesideGets } from './import-beside-gets.ts';
import { ImportPlace, rowsOf } from './import-place.ts';

const FASTER = 8;
/** So many times both clients are measured, each first in turn. */
const ROUNDS = 5;
/** The longest pause between a printed row and a kill, in milliseconds. */
const KILL_WITHIN_MS = 40;

const IMPORT = join(import.meta.dirname, '../../../../docs/clients/import-rows.mjs');
const SINGLE = join(import.meta.dirname, 'push-rows.mjs');

/** Imports rows by the client of docs/clients while it is killed, beside single pushes, and by many importers beside gets of others. */
export const importRows: Suite = {
  options: {
    rows: ['5000', 'of an import'],
    kills: ['10', 'of its client'],
    importers: ['64', 'at the same time'],
    many: ['100000', 'rows of these importers'],
    rounds: ['4', 'of gets alone and beside importers'],
  },
  run: async ({ rows, kills, importers, many, rounds }) => {
    const platform = new LocalPlatform();
    return await endWith(platform, async () => {
      await platform.start();
      const place = await ImportPlace.on(platform);
      const sizes = { rows: Number(many), importers: Number(importers), rounds: Number(rounds) };
      return report([
        ...(await importKilled(place, Number(rows), Number(kills))),
        ...(await importBesideSingle(place, Number(rows))),
        ...(await importBesideGets(platform, sizes)),
      ]);
    });
  },
};

/** Starts a client that prints a line for each row. */
function start(script: string, { url, token }: ImportPlace, collection: string, rows: readonly object[]) {
  const program = spawn(process.execPath, [script, collection], {
    env: { ...process.env, BASE_URL: url, TOKEN: token },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.on('error', () => {}).end(rows.map((row) => JSON.stringify(row)).join('\n'));
  return program;
}

/** Kills the import in one part of the rows after the other, and lets the last run end. */
async function importKilled(place: ImportPlace, count: number, kills: number): Promise<string[]> {
  const [collection, rows] = [await place.newCollection(), rowsOf(count)];
  const before = await place.countedBytes();
  for (let killed = 0, isComplete = false; killed < kills || !isComplete; ) {
    const program = start(IMPORT, place, collection, rows);
    const killAt = Math.ceil(((killed + 1) / (kills + 1)) * count);
    let lines = 0;
    program.stdout.setEncoding('utf8').on('data', (text: string) => {
      const isDue = killed < kills && lines < killAt;
      lines += text.split('\n').length - 1;
      if (isDue && lines >= killAt)
        void delay(KILL_WITHIN_MS * Math.random()).then(() => program.kill('SIGKILL'));
    });
    const [code] = await once(program, 'close');
    isComplete = code === 0;
    if (code === null) killed++;
    else if (!isComplete) return [`the import ended with ${code}`];
  }
  const imported = await place.imported(collection, rows, before);
  say(`${count} rows imported, and its client killed ${kills} times`);
  return [...checkImported('the import that was killed', imported)];
}

/** Imports rows and pushes them one by one, in turns. */
async function importBesideSingle(place: ImportPlace, count: number): Promise<string[]> {
  const perSecond = async (script: string, rows: readonly object[]) => {
    const collection = await place.newCollection();
    const begunAt = performance.now();
    const program = start(script, place, collection, rows);
    program.stdout.resume();
    const [code] = await once(program, 'close');
    if (code !== 0) throw new Error(`${script} ended with ${code}.`);
    return rows.length / ((performance.now() - begunAt) / 1000);
  };
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rates = new Map<string, number>();
    for (const script of round % 2 === 0 ? [IMPORT, SINGLE] : [SINGLE, IMPORT])
      rates.set(script, await perSecond(script, rowsOf(script === IMPORT ? count : count / 5)));
    ratios.push(rates.get(IMPORT)! / rates.get(SINGLE)!);
  }
  const median = percentile(50, ratios);
  const spread = `${Math.min(...ratios).toFixed(1)}–${Math.max(...ratios).toFixed(1)}`;
  const text = `an import is ${median.toFixed(1)} × (${spread}) as fast as single pushes`;
  say(text);
  return median >= FASTER ? [] : [`${text}, not ${FASTER} ×`];
}
