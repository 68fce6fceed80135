import type { Slice } from '#server/api/slice.ts';
import { alertActions } from './alerts/actions/routes.ts';
import { alertMails } from './alerts/mails/routes.ts';
import { alerts } from './alerts/routes.ts';
import { deviceBulk } from './bulk/routes.ts';
import { commands } from './commands/routes.ts';
import { desiredChanges } from './desiredChanges/slice.ts';
import { devices } from './devices/routes.ts';
import { deviceViews } from './devices/views/routes.ts';
import { deviceEvents } from './events/routes.ts';
import { findings } from './findings/routes.ts';
import { fleet } from './fleet/routes.ts';
import { deviceImports } from './imports/routes.ts';
import { logRequests } from './logRequests/routes.ts';
import { presence } from './presence/routes.ts';
import { deviceState } from './state/routes.ts';
import { stateHistory } from './stateHistory/routes.ts';
import { timeline } from './timeline/routes.ts';

export const deviceSlices: readonly Slice[] = [
  devices,
  presence,
  fleet,
  findings,
  deviceState,
  desiredChanges,
  stateHistory,
  deviceEvents,
  alerts,
  alertActions,
  alertMails,
  commands,
  deviceBulk,
  deviceImports,
  deviceViews,
  logRequests,
  timeline,
];
