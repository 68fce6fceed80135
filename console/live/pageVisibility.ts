import { createStore } from '#console/store.ts';

/** Whether anybody can see this page. False a moment after another tab comes to the front, and at once when one leaves. */
export const pageVisible = createStore(document.visibilityState === 'visible');

/** Going through the tabs and back is no reason to let go of anything. */
const hiddenMs = 2_000;

/** A page in the background, or one that is kept for Back, follows nothing: nobody sees it, and it catches up. */
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
