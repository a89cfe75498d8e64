import { expect, test } from '@jest/globals';
import { mongodInNpm, natsInNpm, natsRelease, nodeInNpm } from './pins.mjs';

const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

test('every supported platform has pins of Node.js and nats-server', () => {
  expect(nodeInNpm.map(({ platform }) => platform)).toEqual(platforms);
  for (const platform of platforms) expect(natsRelease(platform)).toBeDefined();
});

test('no two pins are equal, and each is a SHA-256', () => {
  const pins = [mongodInNpm, natsInNpm, ...nodeInNpm, ...platforms.map((platform) => natsRelease(platform)!)];
  for (const { sha256 } of pins) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(pins.map(({ sha256 }) => sha256)).size).toBe(pins.length);
});

test('other platforms have no pin', () => {
  expect(natsRelease('win32-x64')).toBeUndefined();
});
