import { type ToggleEvent, useId, useLayoutEffect, useRef, useState } from 'react';

/** A native popover: it closes on Esc and on a click outside, and is above everything else. */
export function usePopover(onOpen: (panel: HTMLDivElement, button: HTMLButtonElement) => void) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const opened = useRef(onOpen);
  opened.current = onOpen;
  // The contents exist only once it is open.
  useLayoutEffect(() => {
    if (open && panel.current && button.current) opened.current(panel.current, button.current);
  }, [open]);
  return {
    open,
    close: () => panel.current?.hidePopover(),
    buttonProps: { ref: button, popoverTarget: id, 'aria-expanded': open } as const,
    panelProps: {
      ref: panel,
      id,
      popover: 'auto',
      onToggle: (event: ToggleEvent<HTMLDivElement>) => setOpen(event.newState === 'open'),
    } as const,
  };
}
