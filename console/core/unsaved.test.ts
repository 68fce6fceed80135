import { expect, test } from 'vitest';
import { discardUnsaved, hasUnsaved, mayDiscardUnsaved, registerUnsaved } from './unsaved.ts';

test('each form with unsaved changes is asked, until one refuses', async () => {
  const asked: string[] = [];
  const forms = [['first', true] as const, ['second', false] as const, ['third', true] as const];
  const ends = forms.map(([name, may]) =>
    registerUnsaved(async () => {
      asked.push(name);
      return may;
    }),
  );
  expect(hasUnsaved()).toBe(true);
  expect(await mayDiscardUnsaved()).toBe(false);
  expect(asked).toEqual(['first', 'second']);
  for (const end of ends) end();
  expect([hasUnsaved(), await mayDiscardUnsaved()]).toEqual([false, true]);
});

test('discarded changes are not asked about again, unless leaving fails', async () => {
  const end = registerUnsaved(async () => true);
  await mayDiscardUnsaved();
  expect(hasUnsaved()).toBe(false);
  discardUnsaved(false);
  expect(hasUnsaved()).toBe(true);
  end();
});
