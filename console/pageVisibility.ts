import { createStore } from './store.ts';

/** Whether anybody can see this page. False a moment after another tab comes to the front, and at once when one leaves. */
export const pageVisible = createStore(document.visibilityState === 'visible');

/** Going through the tabs and back is no reason to let go of anything. */
const hiddenMs = 2_000;

/**
 * A browser opens six connections to a server and no more. A page in the background, or one that is kept for Back, must
 * not hold one of them, or the seventh tab never loads.
 */
export function watchPageVisibility(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (isVisible: boolean) => {
    clearTimeout(timer);
    pageVisible.set(isVisible);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') say(true);
    else timer = setTimeout(say, hiddenMs, false);
  });
  window.addEventListener('pagehide', () => say(false));
  window.addEventListener('pageshow', () => say(document.visibilityState === 'visible'));
}
