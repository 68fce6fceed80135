import { shared } from '#console/clientStorage.ts';
import { createStore } from '#console/store.ts';

const key = 'mooring.singleKeys';

/** Whoever speaks to the computer, or rests a hand on the keyboard, can turn shortcuts of plain letters off (WCAG 2.1.4). */
export const singleKeys = createStore(shared.read(key) !== 'off');

export function setSingleKeys(on: boolean): void {
  if (on) shared.remove(key);
  else shared.write(key, 'off');
  singleKeys.set(on);
}
