import { expect, it } from 'vitest';
import { safeFilename } from './safeFilename.ts';

it.each([
  ['camera-1.2.bin', 'camera-1.2.bin'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.bin', 'a.bin'],
  ['C:a.bin', 'C_a.bin'],
  ['a\0b\r\n.bin', 'ab.bin'],
  ['a\u202Enib.exe', 'anib.exe'],
  ['say "hi"; x=1.bin', 'say _hi_; x=1.bin'],
  ['.htaccess', 'htaccess'],
  ['..', 'firmware.bin'],
  ['a/', 'firmware.bin'],
  ['Kühlschrank 冷.bin', 'Kühlschrank 冷.bin'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['冷'.repeat(100), '冷'.repeat(66)],
  ['\ud800a', '\ufffda'],
])('%j is shown as %j', (given, shown) => {
  expect(safeFilename(given)).toBe(shown);
});
