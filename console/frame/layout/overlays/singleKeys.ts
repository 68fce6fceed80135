import { shared } from '#console/core/clientStorage.ts';
import { createStore } from '#console/core/store.ts';

const key = 'mooring.singleKeys';

/**
 * Single-letter shortcuts can be turned off, for users of speech input or those who press keys by accident (WCAG
 * 2.1.4).
 */
export const singleKeys = createStore(shared.read(key) !== 'off');

export function setSingleKeys(on: boolean): void {
  if (on) shared.remove(key);
  else shared.write(key, 'off');
  singleKeys.set(on);
}
