import { icon, line } from '#console/ui/icons/icon.tsx';

// Icons that only the fleet screens use, apart from those that the first view loads.

export const ShieldIcon = line('M12 3l7.5 2.8v5.4c0 4.6-3 8-7.5 9.8-4.5-1.8-7.5-5.2-7.5-9.8V5.8L12 3z');
export const FlapIcon = line(
  'M4.5 12a7.5 7.5 0 0 1 13-5.1L20 9.5M20 4v5.5h-5.5M19.5 12a7.5 7.5 0 0 1-12.2 5.8',
);
/** A signal crossed out. */
export const OfflineIcon = line(
  'M4 10a11.5 11.5 0 0 1 16 0M7.5 13.5a6.5 6.5 0 0 1 9 0M12 17.5v.01M4.5 4.5l15 15',
);
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5l3.5 2" />
  </>,
);
/** A pulse that ends. */
export const QuietIcon = line('M3 12h4.5l3-7 4 14 2-7H21');
