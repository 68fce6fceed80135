import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSealing, readMasterKey } from './sealing.ts';

const folder = mkdtempSync(join(tmpdir(), 'mooring-sealing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [key, otherKey] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const text = 'JBSWY3DPEHPK3PXP 🔐';

describe('a sealed text', () => {
  it('is opened with the same key, and looks different each time it is sealed', () => {
    const { seal, open } = createSealing(key);
    expect(open(seal(text))).toBe(text);
    expect(open(seal(''))).toBe('');
    expect(seal(text).equals(seal(text))).toBe(false);
    expect(seal(text).includes('JBSWY3DPEHPK3PXP')).toBe(false);
  });

  it('is not opened if a single bit has changed', () => {
    const { seal, open } = createSealing(key);
    const sealed = seal(text);
    for (let at = 0; at < sealed.length; at++) {
      const damaged = Buffer.from(sealed);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      expect(() => open(damaged), `byte ${at}`).toThrow();
    }
    expect(() => open(sealed.subarray(0, 20))).toThrow();
    expect(() => open(Buffer.alloc(0))).toThrow();
  });

  it('reports another key differently from damaged data', () => {
    const sealed = createSealing(otherKey).seal(text);
    expect(() => createSealing(key).open(sealed)).toThrow('encrypted with another MASTER_KEY');
  });
});

it('a keyed hash is equal only for the same text and the same key', () => {
  const { mac } = createSealing(key);
  expect(mac('a').equals(mac('a'))).toBe(true);
  expect(mac('a').equals(mac('b'))).toBe(false);
  expect(mac('a').equals(createSealing(otherKey).mac('a'))).toBe(false);
});

describe('the master key', () => {
  it('is created once, readable by its owner alone, and reused', () => {
    const place = join(folder, 'data');
    const made = readMasterKey(undefined, place);
    expect(made).toHaveLength(32);
    expect(readMasterKey(undefined, place).equals(made)).toBe(true);
    expect(statSync(join(place, 'master.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place, 'master.key'), 'utf8')).toBe(made.toString('base64'));
  });

  it('is not written to disk if it is set in the environment', () => {
    const place = join(folder, 'none');
    expect(readMasterKey(key, place)).toBe(key);
    expect(() => statSync(place)).toThrow();
  });

  it('is rejected if it is damaged', () => {
    const place = join(folder, 'damaged');
    readMasterKey(undefined, place);
    writeFileSync(join(place, 'master.key'), 'c2hvcnQ=');
    expect(() => readMasterKey(undefined, place)).toThrow('master.key');
    writeFileSync(join(place, 'master.key'), '');
    expect(() => readMasterKey(undefined, place)).toThrow('master.key');
  });
});
