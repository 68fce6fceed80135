import { icon, line } from '#console/ui/icons/icon.tsx';

export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 7.5V12l3 2" />
  </>,
);
export const DashIcon = line('M7 12h10');
