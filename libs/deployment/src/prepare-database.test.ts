import { expect, test } from '@jest/globals';
import { createDeployment } from './deployment.ts';
import { prepareDatabase } from './prepare-database.ts';

test('the error for an unreachable MongoDB names its host and the reason', async () => {
  const settings = { seenAt: '/', busHosts: [], databaseUrl: 'mongodb://127.0.0.1:1/', maxMessageBytes: 1 };
  const deployment = await createDeployment(settings, { tls: false });
  await expect(prepareDatabase(deployment, 3_000)).rejects.toThrow(
    'MongoDB cannot be reached. 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1',
  );
});
