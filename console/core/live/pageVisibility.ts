import { createStore } from '#console/core/store.ts';

/**
 * Whether the page is visible. Becomes false a moment after another tab comes to the front, and at once when the user
 * leaves the page.
 */
export const pageVisible = createStore(document.visibilityState === 'visible');

/** Switching through tabs and back is no reason to close the live link. */
const hiddenMs = 2_000;

/** A page in the background, or in the back/forward cache, follows nothing, as nobody sees it; it catches up later. */
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
