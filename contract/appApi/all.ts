import { callsOf } from '../all.ts';
import type { AppEndpoint } from '../endpoint.ts';
import * as alert from './alert.ts';
import * as config from './config.ts';
import * as device from './device.ts';
import * as home from './home.ts';
import * as me from './me.ts';
import * as session from './session.ts';
import * as stateHistory from './stateHistory.ts';
import * as stream from './stream.ts';

/** The nouns of the app API, in the order of its reference. */
export const appNouns: Record<string, Record<string, unknown>> = {
  Config: config,
  'Signing in': session,
  Profile: me,
  Homes: home,
  Devices: { ...device, ...stateHistory },
  Alerts: alert,
  'Event stream': stream,
};

/** Every call of the app API. */
export const appEndpoints: AppEndpoint[] = Object.values(appNouns).flatMap(noun =>
  callsOf<AppEndpoint>(noun),
);
