import { z } from 'zod';
import { quietHoursFault } from '#rules/time/quietHours.ts';
import { timeZone } from './home.ts';

/** A time of day, `HH:MM`. */
export const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time of day, such as 22:00.');

/** A part of each day in a time zone; `to` is on the next day if it is earlier than `from`. */
export const quietHours = z
  .strictObject({ from: clockTime, to: clockTime, timeZone })
  .refine(quiet => quietHoursFault(quiet) === undefined, { path: ['to'] });
