/** Spellings of a listener on this machine, with which checks were passed elsewhere. */
const hosts = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.0x0.0x0.0x1 0177.0.0.1 017700000001 0x7f.1 127.0.0.1. 0 0.0.0.0
  ①②⑦.⓪.⓪.① 127。0。0。1 %31%32%37.0.0.1 [::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [::127.0.0.1] [64:ff9b::127.0.0.1] [2002:7f00:1::] localhost LOCALHOST localhost. hooks.localhost ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
  user:password@127.0.0.1 hooks.example.com@127.0.0.1 hooks.example.com:443@127.0.0.1
  hooks.example.com%00@127.0.0.1 user@hooks.example.com`.match(/\S+/g)!;

/** URLs that aim at a listener on this machine, or at other addresses that are not public. @param port of the listener. */
export function hostileUrls(port: number): readonly string[] {
  return [
    ...hosts.map((host) => `https://${host}:${port}/`),
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
    ...[0, 22, 25, 6667, 10080].map((other) => `https://hooks.example.com:${other}/`),
  ];
}
