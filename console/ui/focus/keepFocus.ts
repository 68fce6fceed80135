/** Moves the focus to the beginning of the screen if the focused element is gone, or about to go with `going`. */
export function keepFocus(going?: HTMLElement | null): void {
  const at = document.activeElement;
  if (at === document.body || going?.contains(at))
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}
