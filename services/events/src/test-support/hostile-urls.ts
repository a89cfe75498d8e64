/**
 * URLs that aim at a listener on this machine, or at other addresses that are not public, in the spellings with which checks were
 * passed elsewhere. Names stand for a name server that answers with `nameAddress`.
 */
export interface HostileUrl {
  readonly url: string;
  readonly nameAddress?: string;
}

/** The addresses that a name may have: private, link-local, and those that lead to such an IPv4 address. */
const nameAddresses = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.8',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2001::7f00:1',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

/** @param port of the listener. */
export function hostileUrls(port: number): readonly HostileUrl[] {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.1',
    '017700000001',
    '0x7f.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'hooks.localhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'user:password@127.0.0.1',
    'hooks.example.com@127.0.0.1',
    'hooks.example.com:443@127.0.0.1',
    'hooks.example.com%00@127.0.0.1',
    'user@hooks.example.com',
  ];
  const otherSchemes = [
    `http://hooks.example.com:${port}/`,
    `http://127.0.0.1:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${port}/_x`,
    `unix:/var/run/docker.sock`,
    `javascript:alert(1)`,
    `//127.0.0.1:${port}/`,
    `https:127.0.0.1:${port}`,
    `https:\\\\127.0.0.1:${port}\\`,
    `\thttps://127.0.0.1:${port}/`,
    `https://hooks.example.com:${port}/#@127.0.0.1`,
    `https://127.0.0.1:${port}/\r\nHost: hooks.example.com`,
    `https://169.254.169.254/latest/meta-data/`,
  ];
  return [
    ...hosts.map((host) => ({ url: `https://${host}:${port}/` })),
    ...otherSchemes.map((url) => ({ url })),
    ...nameAddresses.map((nameAddress) => ({ url: `https://hooks.example.com:${port}/`, nameAddress })),
  ];
}
