import type { KeyboardEvent } from 'react';

/** ↑ and ↓ move the focus among the matching elements of a group; at either end it stays. */
export function moveAmong(event: KeyboardEvent<HTMLElement>, selector: string): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(event.target instanceof HTMLElement) || !event.target.matches(selector)) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const next = stops[stops.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
