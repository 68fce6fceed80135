import { createStore } from './store.ts';

/** True while nothing answers: what is on screen may be out of date until the server is back. */
export const serverAway = createStore(false);

/** True while the place of a screen says that it could not be shown. */
export const screenFailed = createStore(false);
