import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test.each(['package-lock.json', 'bench/package-lock.json', 'docs/clients/package-lock.json'])(
  '%s locks every package by its content, and names no registry',
  (file) => {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
      packages: Record<string, { link?: boolean; integrity?: string; resolved?: string }>;
    };
    const fetched = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link,
    );
    expect(fetched.length).toBeGreaterThan(100);
    expect(fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
    expect(fetched.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  },
);
