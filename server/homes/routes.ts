import type { Slice } from '#server/slice.ts';

export const homes: Slice = {
  tables: {
    homes: 'A home: what end users share, and devices belong to.',
    home_members: 'What an end user is in a home.',
    home_guest_devices: 'A device that a guest may see.',
  },
};
