import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';

const generated = new URL('../generated/', import.meta.url);

/** Generates both clients from a gateway's document, with what each generator does by itself, and type-checks their use. */
export async function generateClients(baseUrl: string): Promise<void> {
  mkdirSync(generated, { recursive: true });
  const document = new URL('openapi.json', generated);
  writeFileSync(document, await (await fetch(`${baseUrl}/api/v1/openapi.json`)).text());
  writeFileSync(new URL('openapi-typescript.ts', generated), astToString(await openapiTypescript(document)));
  await createClient({
    input: document.pathname,
    output: { path: new URL('hey-api', generated).pathname, importFileExtension: '.ts' },
    logs: { level: 'silent' },
  });
  execFileSync('node_modules/.bin/tsc', ['--project', 'tsconfig.json'], { stdio: 'inherit' });
}
