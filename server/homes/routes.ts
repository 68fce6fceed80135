import type { Slice } from '#server/slice.ts';
import { myHomeResource } from './findHome.ts';
import { homeDeviceResource } from './findHomeDevice.ts';
import { myHomeRoutes } from './myHomeRoutes.ts';

export const homes: Slice = {
  tables: {
    homes: 'A home: what end users share, and devices belong to.',
    home_members: 'What an end user is in a home.',
    home_guest_devices: 'A device that a guest may see.',
  },
  appResources: { home: myHomeResource, homeDevice: homeDeviceResource },
  appRoutes: myHomeRoutes,
};
