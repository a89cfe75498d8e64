import { fetchRadosgw } from '@action-platform/container';
import type { Counterpart } from './counterpart.ts';

/** An S3 server for the files of knowledge: the one at S3_TEST_ENDPOINT, or else Ceph's radosgw. */
export const s3Server: Counterpart = {
  title: 'an S3 server',
  get: async () => {
    if (process.env.S3_TEST_ENDPOINT === undefined) await fetchRadosgw();
  },
};
