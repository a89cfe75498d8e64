import { hasRadosgw } from '@action-platform/local-servers';
import { describe } from '@jest/globals';

const MISSING = 'no server at S3_TEST_ENDPOINT and no radosgw; npm run e2e -- adapters gets one';

/** Tests on a real S3 server. Without one, Jest skips them and prints the reason. */
export function describeOnS3(name: string, tests: () => void): void {
  if (process.env.S3_TEST_ENDPOINT === undefined && !hasRadosgw()) {
    process.stderr.write(`Skipping the tests on an S3 server: ${MISSING}\n`);
    describe.skip(`${name} (skipped: ${MISSING})`, tests);
  } else describe(name, tests);
}
