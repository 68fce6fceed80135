import type { FieldTable } from '#console/ui/fields/fields.ts';
import { nameMax } from '#contract/shapes.ts';

export const homeFields: FieldTable<'name' | 'timeZone'> = {
  name: { label: 'Name', required: true, max: nameMax, placeholder: 'Lindqvist, Oslo' },
  timeZone: {
    label: 'Time zone',
    required: true,
    max: 64,
    placeholder: 'Europe/Oslo',
    hint: 'Guest access times use this time zone.',
    check: zone => (isTimeZone(zone) ? undefined : 'TIME_ZONE_UNKNOWN'),
  },
};

/** Only the time zones that this browser knows. */
function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

/** The developer's own time zone, the likeliest one for a new home. */
export const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;
