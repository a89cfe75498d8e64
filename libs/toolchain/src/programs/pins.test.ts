import { expect, test } from '@jest/globals';
import { mongod, natsServer, node } from './pins.mjs';

test('every supported platform has pins of Node.js and nats-server', () => {
  const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
  for (const { archives } of [node, natsServer]) expect(Object.keys(archives)).toEqual(platforms);
});

test('no two pins are equal, and each is a SHA-256', () => {
  const pins = [mongod, natsServer, node].flatMap(({ archives }) =>
    Object.values(archives).flatMap((ofPlatform) => Object.values(ofPlatform!)),
  );
  for (const sha256 of pins) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(pins).size).toBe(pins.length);
});
