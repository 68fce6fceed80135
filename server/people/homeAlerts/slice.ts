import { changeMyAlert, listMyAlerts, listMyHomeAlerts, readMyAlert } from '#contract/appApi/alert.ts';
import { on } from '#server/api/endpoints/route.ts';
import type { Slice } from '#server/api/slice.ts';
import { alertsOfDevice, alertsOfHome, changeMine, readMine } from './myAlerts.ts';

/** What the members of a home see of the alerts of its devices. */
export const homeAlerts: Slice = {
  appRoutes: [
    on(listMyHomeAlerts, alertsOfHome),
    on(listMyAlerts, alertsOfDevice),
    on(readMyAlert, readMine),
    on(changeMyAlert, changeMine),
  ],
};
