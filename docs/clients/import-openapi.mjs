// Makes operations of an OpenAPI document (JSON, or YAML after `npm install yaml`) custom operations with targets in a connector.
//
// BASE_URL=http://127.0.0.1:8080 TOKEN=... node import-openapi.mjs <connector> <document> [<id> ...]
//
// TOKEN is the session token of an Owner. Without ids the program lists what the document has, with what is lost of it; with ids, of which
// `custom.orders_*` names several, it registers those.

import { readFile } from 'node:fs/promises';
import { definitionsOf } from '../../libs/console/browser/pages/custom-operations/openapi.js';

const { BASE_URL = 'http://127.0.0.1:8080', TOKEN = '' } = process.env;
const [connector = '', file = '', ...asked] = process.argv.slice(2);

const text = await readFile(file, 'utf8');
const document = /\.ya?ml$/.test(file) ? (await import('yaml')).parse(text) : JSON.parse(text);

/** @param {string} id */
const isAsked = (id) =>
  asked.some((each) => (each.endsWith('*') ? id.startsWith(each.slice(0, -1)) : id === each));

for (const { id, source, definition, losses, problem } of definitionsOf(document, connector)) {
  const notes = problem === undefined ? losses.join('; ') : `not possible: ${problem}`;
  if (asked.length === 0) console.log(id, source, notes);
  if (!isAsked(id) || definition === undefined) continue;
  const answer = await fetch(`${BASE_URL}/api/v1/custom-operations/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(definition),
  });
  const { error } = await answer.json();
  console.log(id, error === undefined ? 'registered' : `${error.code}: ${error.message}`);
  if (error !== undefined) process.exitCode = 1;
}
