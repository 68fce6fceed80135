import type { ComponentType } from 'react';

/** One entry of the list beside a sentence. */
export interface Choice {
  id: string;
  label: string;
  /** What it means, in a few words. */
  note?: string | undefined;
  /** At the right: how many devices, how often. */
  count?: string | undefined;
  /** The heading above it. */
  group: string;
  icon?: ComponentType<{ size?: number }>;
  take: () => void;
}

/** What can be chosen for one field of a sentence. */
export interface Choices {
  /** "What should start it?" */
  prompt: string;
  list: readonly Choice[];
  /** What is typed is itself a choice: a number of minutes. */
  typed?: (text: string) => Choice | undefined;
  /** Said if there is nothing to choose. */
  hint?: string;
}

/** The choices that have all the typed words. */
export function matching({ list, typed }: Choices, text: string): readonly Choice[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = list.filter(({ label, note = '' }) =>
    words.every(word => `${label} ${note}`.toLowerCase().includes(word)),
  );
  const start = text.trim().toLowerCase();
  // Those that begin as typed come first; the others keep their order.
  const begins = ({ label }: Choice) => Number(!label.toLowerCase().startsWith(start));
  if (start !== '') found.sort((a, b) => begins(a) - begins(b));
  const own = text.trim() === '' ? undefined : typed?.(text.trim());
  return own && !found.some(({ label }) => label === own.label) ? [own, ...found] : found;
}
