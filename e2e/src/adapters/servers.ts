import { fetchRadosgw } from '@action-platform/container';
import { findDovecot } from '@action-platform/local-servers';
import { aptInstall } from '@action-platform/toolchain';

/**
 * The servers of other makers that the adapters are tested on, by their names for people; each is found on this machine or fetched.
 * A rejection says what could not be had, and why.
 */
export const servers = [
  {
    // The one at S3_TEST_ENDPOINT, or else Ceph's radosgw.
    title: 'an S3 server',
    get: async () => {
      if (process.env.S3_TEST_ENDPOINT === undefined) await fetchRadosgw();
    },
  },
  {
    // The Dovecot of this machine, or else that of Debian, which root installs.
    title: 'Dovecot',
    get: async () => {
      if (findDovecot() === undefined) await aptInstall('dovecot-imapd');
    },
  },
];
