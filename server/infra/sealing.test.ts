import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMasterKey, createSealing, readMasterKey } from './sealing.ts';

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
  const keyIn = (place: string) => readMasterKey(undefined, place).key;

  it('is created once, readable by its owner alone, and reused', () => {
    const place = join(folder, 'data');
    expect(keyIn(place)).toBeUndefined();
    const made = createMasterKey(place);
    expect(made).toHaveLength(32);
    expect(keyIn(place)?.equals(made)).toBe(true);
    expect(createMasterKey(place).equals(made)).toBe(true);
    expect(statSync(join(place, 'master.key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place, 'master.key'), 'utf8')).toBe(made.toString('base64'));
    expect(readdirSync(place)).toEqual(['master.key']);
  });

  it.runIf(process.platform !== 'win32')('is not half there after a start on a full disk', () => {
    const place = join(folder, 'full');
    const program = `import { createMasterKey } from ${JSON.stringify(join(import.meta.dirname, 'sealing.ts'))};
      createMasterKey(${JSON.stringify(place)});`;
    const script = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"';
    const { status, stderr } = spawnSync('sh', ['-c', script, process.execPath, program], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
    expect(readdirSync(place)).toEqual([]);
    expect(createMasterKey(place)).toHaveLength(32);
  });

  it('is not read from a file if it is set in the environment', () => {
    expect(readMasterKey(key, join(folder, 'none'))).toEqual({ key, file: undefined });
  });

  it('is rejected if it is damaged', () => {
    const place = join(folder, 'damaged');
    createMasterKey(place);
    writeFileSync(join(place, 'master.key'), 'c2hvcnQ=');
    expect(() => keyIn(place)).toThrow('master.key');
    writeFileSync(join(place, 'master.key'), '');
    expect(() => keyIn(place)).toThrow('master.key');
  });
});
