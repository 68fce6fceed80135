import type { GuestAccess } from '#contract/home.ts';
import { momentOf, wallTime } from './wallTime.ts';

/** What a guest may do with a device. */
export type GuestDeviceAccess = 'view' | 'control';

/** A guest's access as the form has it: times as typed, in the time zone of the home. */
export interface GuestDraft {
  devices: Readonly<Record<string, GuestDeviceAccess>>;
  from: string;
  until: string;
  isWeekly: boolean;
  /** 1 is Monday. */
  days: readonly number[];
  opens: string;
  closes: string;
}

export const emptyGuest: GuestDraft = {
  devices: {},
  from: '',
  until: '',
  isWeekly: false,
  days: [1, 2, 3, 4, 5],
  opens: '08:00',
  closes: '17:00',
};

export function draftOfGuest(guest: GuestAccess | undefined, timeZone: string): GuestDraft {
  if (!guest) return emptyGuest;
  const { devices, from, until, weekly } = guest;
  return {
    devices: Object.fromEntries(
      devices.map(({ deviceId, mayControl }) => [deviceId, mayControl ? 'control' : 'view']),
    ),
    from: from ? wallTime(from, timeZone) : '',
    until: until ? wallTime(until, timeZone) : '',
    isWeekly: weekly !== undefined,
    days: weekly?.days ?? emptyGuest.days,
    opens: weekly?.from ?? emptyGuest.opens,
    closes: weekly?.to ?? emptyGuest.closes,
  };
}

export function accessOfGuest(draft: GuestDraft, timeZone: string): GuestAccess {
  const { devices, from, until, isWeekly, days, opens, closes } = draft;
  return {
    devices: Object.entries(devices).map(([deviceId, access]) => ({
      deviceId,
      mayControl: access === 'control',
    })),
    ...(from && { from: momentOf(from, timeZone) }),
    ...(until && { until: momentOf(until, timeZone) }),
    ...(isWeekly && { weekly: { days: [...days].sort((a, b) => a - b), from: opens, to: closes } }),
  };
}

/** Why the form cannot be sent as it is, as a sentence. */
export function guestFault({
  devices,
  from,
  until,
  isWeekly,
  days,
  opens,
  closes,
}: GuestDraft): string | undefined {
  if (Object.keys(devices).length === 0) return 'Choose at least one device.';
  if (from && until && from >= until) return 'The end must be after the start.';
  if (isWeekly && days.length === 0) return 'Choose at least one day of the week.';
  if (isWeekly && (!opens || !closes || opens === closes)) return 'Enter two different times of day.';
  return undefined;
}
