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

/** As far as this browser knows them. */
function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

/** Where one sits: the likeliest for a home to begin with. */
export const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;
