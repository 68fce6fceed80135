import { createStore } from '#console/core/store.ts';

/** The one overlay that is open, if any. */
export const overlay = createStore<'rail' | 'palette' | 'inspector' | 'shortcuts' | undefined>(undefined);

export const closeOverlay = () => overlay.set(undefined);

let typed = '';

/**
 * Stores keys pressed while the palette is loading; the palette starts with them. Returns whether the key was stored.
 */
export function storeTyped(key: string): boolean {
  const isKept = overlay.get() === 'palette' && [...key].length === 1;
  if (isKept) typed += key;
  return isKept;
}

export function takeTyped(): string {
  const taken = typed;
  typed = '';
  return taken;
}
