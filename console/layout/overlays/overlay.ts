import { createStore } from '#console/store.ts';

/** The one thing that lies over the shell, if any. */
export const overlay = createStore<'rail' | 'palette' | 'inspector' | 'shortcuts' | undefined>(undefined);

export const closeOverlay = () => overlay.set(undefined);

let typed = '';

/** Keys pressed while the palette is on its way; it begins with them. Answers whether this is one. */
export function keepTyped(key: string): boolean {
  const isKept = overlay.get() === 'palette' && [...key].length === 1;
  if (isKept) typed += key;
  return isKept;
}

export function takeTyped(): string {
  const taken = typed;
  typed = '';
  return taken;
}
