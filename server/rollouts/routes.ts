import type { Slice } from '#server/slice.ts';

export const rollouts: Slice = {};
