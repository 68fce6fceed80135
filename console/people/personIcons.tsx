import { icon, line } from '#console/ui/icons/icon.tsx';

export const HomeIcon = line('M4 11l8-7 8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.5a.5.5 0 0 1-.5-.5z');
export const MailIcon = line('M4 6h16v12H4zM4.5 6.5L12 13l7.5-6.5');
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </>,
);
