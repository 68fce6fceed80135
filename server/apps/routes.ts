import type { Slice } from '#server/slice.ts';

export const apps: Slice = {
  tables: { apps: 'An app of the product, whose users sign in to it.' },
};
