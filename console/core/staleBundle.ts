import { createStore } from './store.ts';

/** True once a file of this build was requested and is gone: the server has a newer console. */
export const staleBundle = createStore(false);
