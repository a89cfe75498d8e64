import type { Platform } from './platform.ts';

/** Sends a request of an operation of the document and gives back the body of its answer. */
type Send = (operationId: string, method: string, path: string, body?: object) => Promise<any>;

/** Makes a request of every operation of the document that succeeds, and some that are refused, in an order that works. */
export async function requestsOf(platform: Platform, send: Send): Promise<void> {
  const run = (id: string, input: object) => send(id, 'POST', `/api/v1/operations/${id}`, input);
  await send('discoverOperations', 'GET', '/api/v1/operations');
  await send('discoverOperations', 'GET', '/api/v1/operations?view=tools');
  await send('discoverOperations', 'GET', '/api/v1/operations?view=openapi');

  await run('knowledge.list_visible_files', { scope: 'all' });
  await run('procedures.create_draft', {
    slug: 'greet',
    title: 'Greet',
    description: '',
    markdown: '# Greet',
  });
  await run('procedures.create_draft', {
    slug: 'greet',
    title: 'Other',
    description: '',
    markdown: '# Other',
  });
  await run('procedures.list_drafts', {});
  await run('procedures.get_draft', { slug: 'greet' });
  await run('procedures.get_draft', { slug: 'none' });
  await run('mail.list_authorized_senders', {});
  await run('mail.send_email', { to: ['ada@example.com'], subject: 'Hello', body: 'Text', cc: [] });
  await run('mail.list_send_history', {});

  const { collection } = await platform.call('record_store.create_collection', { name: 'proxied' });
  const collection_id = collection.id;
  await run('record_store.create_collection', { name: 'proxied' });
  await run('record_store.list_collections', { limit: 1 });
  await run('record_store.get_usage', {});
  const push = { collection_id, payload: { 'a.b': [1, null, { c: 'd' }] }, idempotency_key: 'one' };
  const { result } = await run('record_store.push_record', push);
  await run('record_store.push_record', push);
  await run('record_store.push_record', { ...push, payload: {} });
  const record = { collection_id, record_id: result.record.id };
  await run('record_store.get_record', record);
  await run('record_store.get_record', { ...record, record_id: 'rec_none' });
  await run('record_store.replace_record', { ...record, payload: { a: 1 }, expected_version: 1 });
  await run('record_store.replace_record', { ...record, payload: { a: 2 }, expected_version: 1 });
  await run('record_store.patch_record', { ...record, patch: { b: 2 } });
  await run('record_store.get_record_history', { ...record, limit: 2 });
  await run('record_store.list_records', { collection_id });
  await run('record_store.delete_record', record);
  await run('record_store.archive_record', record);
  await run('record_store.restore_record', record);
  await run('record_store.archive_record', record);
  await run('record_store.delete_record', record);

  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const operationGrant = { operationScope: 'record_store.push_record', expiresAt, name: 'Import' };
  const routineGrant = {
    name: 'Nightly import',
    operations: ['record_store.push_record'],
    data: { collectionIds: [collection_id] },
    maximumCadence: { invocations: 1, periodSeconds: 86_400 },
    expiresAt,
  };
  for (const [name, path, request] of [
    ['OperationGrant', '/api/v1/operation-grants', operationGrant],
    ['RoutineGrant', '/api/v1/routine-grants', routineGrant],
  ] as const) {
    const { grant } = await send(`create${name}`, 'POST', path, request);
    await send(`list${name}s`, 'GET', `${path}?status=active&limit=10`);
    await send(`revoke${name}`, 'DELETE', `${path}/${grant.id}`);
    await send(`revoke${name}`, 'DELETE', `${path}/unknown`);
  }

  const { result: feed } = await run('events.list_events', { limit: 5 });
  // The stream itself has no end.
  await send('followEvents', 'GET', '/api/v1/events?cursor=forged');
  await run('audit.list_entries', { limit: 5 });
  await run('audit.count_entries', {});
  await send('exportAuditEntries', 'GET', '/api/v1/audit/entries?limit=5');
  await send('exportAuditEntries', 'GET', '/api/v1/audit/entries');
  await send('verifyAuditLog', 'GET', '/api/v1/audit/verification');

  await send('getMe', 'GET', '/api/v1/me');
  const members = '/api/v1/members';
  await send('addMember', 'POST', members, { userId: 'grace', displayName: 'Grace' });
  await send('listMembers', 'GET', `${members}?state=all&limit=10`);
  await send('changeMember', 'PATCH', `${members}/grace`, { displayName: null });
  await send('removeMember', 'DELETE', `${members}/grace`);
  await send('removeMember', 'DELETE', `${members}/unknown`);

  const refund = '/api/v1/custom-operations/custom.refund_order';
  await send('putCustomOperation', 'PUT', refund, {
    title: 'Refund an order',
    description: 'Refunds an order.',
    effect: 'write',
    availability: 'workspace_member',
    url: 'http://127.0.0.1:9/refund',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  });
  await send('listCustomOperations', 'GET', '/api/v1/custom-operations');
  await send('getCustomOperation', 'GET', refund);
  await send('removeCustomOperation', 'DELETE', refund);
  await send('removeCustomOperation', 'DELETE', '/api/v1/custom-operations/custom.no_such');

  await send('getApprovalRules', 'GET', '/api/v1/approval-rules');
  // The token is of no fresh sign-in.
  await send('setApprovalRules', 'PUT', '/api/v1/approval-rules', { revision: 0, rules: [] });
  await send('listApprovals', 'GET', '/api/v1/approvals?status=pending');
  await send('getApproval', 'GET', '/api/v1/approvals/unknown');
  await send('decideApproval', 'POST', '/api/v1/approvals/unknown/decision', { decision: 'approve' });

  const { connections } = await send('listAppConnections', 'GET', '/api/v1/app-connections');
  const mailbox = { email: 'team@example.com', provider: 'imap', host: '127.0.0.1', secret: 'x' };
  await send('createAppConnection', 'POST', '/api/v1/app-connections', { app: 'mail_suite', ...mailbox });
  await send('beginAuthorization', 'POST', '/api/v1/app-connections/authorizations', {});
  const begun = '/api/v1/app-connections/authorizations/unknown';
  await send('completeAuthorization', 'POST', begun, { code: 'x', state: 'x' });
  await send('deleteAppConnection', 'DELETE', `/api/v1/app-connections/${connections[0].id}`);
  const shared = {
    ...{ email: 'team@example.com', displayName: 'Team', provider: 'local' },
    ...{ everyone: true, interactive: true, scheduled: true },
  };
  const { sender } = await send('createSender', 'POST', '/api/v1/senders', shared);
  await send('listSenders', 'GET', '/api/v1/senders');
  await send('changeSender', 'PATCH', `/api/v1/senders/${sender.senderId}`, { displayName: 'The team' });
  await send('deleteSender', 'DELETE', `/api/v1/senders/${sender.senderId}`);

  const endpoints = '/api/v1/webhook-endpoints';
  const { endpoint } = await send('createWebhookEndpoint', 'POST', endpoints, {
    url: 'http://127.0.0.1:9/hook',
    types: ['record.pushed'],
  });
  const one = `${endpoints}/${endpoint.id}`;
  await send('listWebhookEndpoints', 'GET', endpoints);
  await send('getWebhookEndpoint', 'GET', one);
  await send('changeWebhookEndpoint', 'PATCH', one, { description: 'Nobody listens.' });
  await send('rotateWebhookSecret', 'POST', `${one}/rotate`);
  await send('testWebhookEndpoint', 'POST', `${one}/test`);
  await send('replayWebhookEvents', 'POST', `${one}/replay`, { eventId: feed.events[0].id });
  await send('listWebhookDeliveries', 'GET', `${one}/deliveries`);
  await send('resendWebhookDelivery', 'POST', `${one}/deliveries/unknown/resend`);
  await send('deleteWebhookEndpoint', 'DELETE', one);

  await send('getOpenApiDocument', 'GET', '/api/v1/openapi.json');
  await send('getApiReference', 'GET', '/docs');
  await send('getErrorCatalogue', 'GET', '/docs/errors');
  await send('getErrorCatalogueMarkdown', 'GET', '/docs/errors.md');
  await send('getErrorPage', 'GET', '/docs/errors/invalid_request');
  await send('getErrorPage', 'GET', '/docs/errors/unheard_of');
  await send('getGuides', 'GET', '/docs/guides');
  await send('getGuidesMarkdown', 'GET', '/docs/guides.md');
  await send('getGuide', 'GET', '/docs/guides/mcp');
  await send('getGuide', 'GET', '/docs/guides/unheard_of');
  await send('getDocsAsset', 'GET', '/docs/assets/docs.css');
  await send('getLiveness', 'GET', '/livez');
  await send('getReadiness', 'GET', '/readyz');
}
