import { createStore } from '#console/store.ts';

/** The one thing that lies over the shell, if any. */
export const overlay = createStore<'rail' | 'palette' | 'inspector' | 'shortcuts' | undefined>(undefined);

export const closeOverlay = () => overlay.set(undefined);
