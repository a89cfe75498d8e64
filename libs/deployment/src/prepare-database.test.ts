import { expect, test } from '@jest/globals';
import { createDeployment } from './deployment.ts';
import { prepareDatabase } from './prepare-database.ts';

test('the error for an unreachable MongoDB names its host and the reason', async () => {
  const place = { seenAt: '/', busHosts: [], databaseUrl: 'mongodb://127.0.0.1:1/', maxMessageBytes: 1 };
  const deployment = await createDeployment(place, { tls: false });
  await expect(prepareDatabase(deployment, 3_000)).rejects.toThrow(
    'MongoDB cannot be reached. 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1',
  );
});
