import { shared } from './clientStorage.ts';
import { createStore } from './store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The script in index.html reads the same key before the first paint. */
const key = 'mooring.theme';

export const theme = createStore<Theme>(kept());

export function chooseTheme(next: Theme): void {
  if (next === 'system') shared.remove(key);
  else shared.write(key, next);
  show(next);
}

/** Follows a choice made in another tab. */
export function watchTheme(): void {
  show(kept());
  window.addEventListener('storage', event => {
    if (event.key === key || event.key === null) show(kept());
  });
}

function kept(): Theme {
  const value = shared.read(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

function show(next: Theme): void {
  theme.set(next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}
