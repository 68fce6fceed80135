import { createStore } from '#console/core/store.ts';

/** True while the server does not answer: what is on screen may be out of date until it is back. */
export const serverAway = createStore(false);

/** True while an error is shown in place of a screen. */
export const screenFailed = createStore(false);
