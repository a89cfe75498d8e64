import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { FileExporter } from './file-exporter.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'action-platform-spans-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function write(exporter: FileExporter, names: readonly string[]): Promise<void> {
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  for (const name of names) provider.getTracer('test').startSpan(name).end();
  await provider.forceFlush();
  await exporter.shutdown();
}

function spansIn(file: string): string[] {
  const lines = readFileSync(join(directory, file), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans[0].name);
}

test('appends a line for each export to a file that only its owner may read', async () => {
  const file = join(directory, 'mail.jsonl');
  await write(new FileExporter(file), ['one', 'two']);
  await write(new FileExporter(file), ['three']);
  expect(spansIn('mail.jsonl')).toEqual(['one', 'two', 'three']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('keeps at most two files of a limited size', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `span ${index}`);
  await write(new FileExporter(join(directory, 'mail.jsonl'), 5_000), names);
  expect(readdirSync(directory).toSorted()).toEqual(['mail.1.jsonl', 'mail.jsonl']);
  for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).size).toBeLessThan(5_000);
  const kept = [...spansIn('mail.1.jsonl'), ...spansIn('mail.jsonl')];
  expect(kept).toEqual(names.slice(-kept.length));
});

test('reports what it cannot write', async () => {
  const exporter = new FileExporter(join(directory, 'nowhere', 'mail.jsonl'));
  const told = new Promise((resolve) => exporter.export([], resolve));
  expect(await told).toMatchObject({ error: { code: 'ENOENT' } });
});
