import type { Principal } from '@action-platform/contracts/authority';
import { S3TestBucket } from '@action-platform/testing/s3';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { compareByBytes } from '../files/byte-order.ts';
import { BucketKnowledge, bucketEnvironment } from '../test-support/bucket-knowledge.ts';
import { linesOf } from '../test-support/followed-knowledge.ts';
import { describeOnS3 } from '../test-support/s3-server.ts';
import { newMember } from '../test-support/test-knowledge.ts';
import { until } from '../test-support/until.ts';

const line = linesOf('FILES_S3_BUCKET');

describeOnS3('on an S3 server', () => {
  const service = new BucketKnowledge();
  let bucket: S3TestBucket;
  beforeAll(async () => {
    bucket = await S3TestBucket.create();
    await start();
  });
  afterAll(async () => {
    await service.stop();
    await bucket.stop();
  });

  let member: Principal;
  let company: string;
  beforeEach(() => {
    ({ member, company } = newMember());
  });
  const start = (environment: Readonly<Record<string, string>> = {}, on = service) =>
    on.platform.spawn('knowledge', {
      ...bucketEnvironment(bucket.url),
      FILES_S3_BUCKET: bucket.name,
      FILES_S3_PREFIX: 'platform',
      AWS_ACCESS_KEY_ID: bucket.key,
      AWS_SECRET_ACCESS_KEY: bucket.secret,
      ...environment,
    });
  const keysOf = (paths: readonly string[]) => paths.map((path) => `platform/${company}/${path}`);

  test('keys of any characters are listed unchanged, in order', async () => {
    const paths = [
      ...'a+b|a%b|a%2Fb|a b| lead|trail | |ä/ö|é|e\u0301|\u{1f98a}|\ue000|\ufffd|"q"|\'|<&>|&amp;|]]>'.split(
        '|',
      ),
      ...'x\u0001y|x\ty|x\ny|x\ry|x\u007fy|x\u0085y|x\u2028y|a&b=c|a?b|a#b|*|~|back\\slash'.split('|'),
      ...['$where', '__proto__', '1', '01', 'true', 'x'.repeat(900)],
    ];
    await bucket.put([...keysOf(paths), ...keysOf(['.hidden', 'folder/']), `${company}/outside`]);
    await service.pass();
    expect(await service.paths(member)).toEqual(paths.toSorted(compareByBytes));
  });

  test('listings of several pages follow added and deleted objects', async () => {
    const paths = Array.from({ length: 1100 }, (_, i) => `folder ${i % 10}/ä+${i}`);
    await bucket.put(keysOf(paths));
    await service.pass();
    expect(await service.paths(member)).toEqual(paths.toSorted(compareByBytes));
    await bucket.delete(keysOf(paths.slice(0, 90)));
    await service.pass();
    expect(await service.paths(member)).toEqual(paths.slice(90).toSorted(compareByBytes));
  });

  test('a delete marker removes a file, and its removal brings the file back', async () => {
    await bucket.put(keysOf(['kept', 'old']));
    await bucket.keepVersions();
    await bucket.put(keysOf(['kept', 'new']));
    await bucket.delete(keysOf(['kept', 'old']));
    await service.pass();
    expect(await service.paths(member)).toEqual(['new']);
    await bucket.undo(keysOf(['kept'])[0]!);
    await service.pass();
    expect(await service.paths(member)).toEqual(['kept', 'new']);
  });

  test.each([
    [{ AWS_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
    [{ AWS_ACCESS_KEY_ID: 'unknown' }, 'InvalidAccessKeyId'],
    [{ FILES_S3_BUCKET: 'action-platform-no-such-bucket' }, 'NoSuchBucket'],
  ])('with %j the service starts, and one line of its log says %s', async (environment, code) => {
    const other = new BucketKnowledge();
    const refused = await start(environment, other);
    await until(
      async () => other.lines(refused),
      (lines) => lines.length > 0,
    );
    await other.pass();
    expect(other.lines(refused)).toEqual([line.kept(code)]);
    expect(refused.lines.join()).not.toContain(bucket.secret);
    await other.stop();
  });
});
