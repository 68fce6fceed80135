import type { Slice } from '#server/slice.ts';

export const channels: Slice = {
  tables: { channels: 'What points the devices of a class that follow it at a bundle.' },
  idPrefixes: ['chn'],
};
