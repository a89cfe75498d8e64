import { execute, get, operation } from './api.js';
import { allOf } from './listing.js';

/** @typedef {import('./edits.js').Choice} Choice */

/** Every Collection of the Workspace. @returns {Promise<Choice[]>} */
export async function collectionChoices() {
  const all = await allOf({ request: operation('record_store.list_collections'), rows: 'collections' });
  return all.map(({ id, name }) => [id, name]);
}

/** Every active Member. @returns {Promise<Choice[]>} */
export async function memberChoices() {
  const all = await allOf({ request: get('/api/v1/members'), rows: 'members' });
  return all.map(({ userId, displayName }) => [userId, displayName ?? userId, userId]);
}

/** Every mailbox that the signed-in Member may draft in. @returns {Promise<Choice[]>} */
export async function senderChoices() {
  const { senders } = await execute('mail.list_authorized_senders');
  return senders.map((/** @type {any} */ { sender_id: id, display_name: name, email }) => [id, name, email]);
}

/** Every active grant of the Workspace. @returns {Promise<Choice[]>} */
export async function grantChoices() {
  const all = await grantsWith('active');
  return all.map(({ id, name, userId }) => [id, name ?? id, `of ${userId}`]);
}

/** Every grant with a status, or of any, of both kinds. @param {string} [status] @returns {Promise<import('@action-platform/contracts').Grant[]>} */
export async function grantsWith(status) {
  const ofKind = (/** @type {string} */ kind) =>
    allOf({ request: get(`/api/v1/${kind}-grants`, { status }), rows: 'grants' });
  return (await Promise.all(['routine', 'operation'].map(ofKind))).flat();
}

/** Operations in their groups, with those that write marked. @param {readonly import('@action-platform/contracts').OperationDescriptor[]} operations @param {(operation: any) => boolean} isWrite @returns {Choice[]} */
export const grantOperationChoices = (operations, isWrite) =>
  operations.map((each) => [each.id, each.title, `${isWrite(each) ? 'writes' : 'reads'} · ${each.id}`]);

/** Operations by their titles. @param {readonly { id: string, title: string }[]} operations @returns {Choice[]} */
export const operationChoices = (operations) => operations.map(({ id, title }) => [id, title, id]);
