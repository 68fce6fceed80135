import { icon, line } from '#console/ui/icons/icon.tsx';

export const ArrowRightIcon = line('M2 12h20M15.5 5.5L22 12l-6.5 6.5');
export const StopIcon = icon(<rect x="5" y="5" width="14" height="14" rx="2" />);
export const UndoIcon = line('M8.5 5L4 9.5 8.5 14M4 9.5h9a6.5 6.5 0 0 1 6.5 6.5v3');
