import { createStore } from './store.ts';

/** True once a file of this build was asked for and is gone: the server has a newer console. */
export const staleBundle = createStore(false);
