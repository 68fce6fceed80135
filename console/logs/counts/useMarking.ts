import { type KeyboardEvent, type PointerEvent, useState } from 'react';

interface Marking {
  from: number;
  to: number;
}

/** Marks parts of a chart: by pointing and dragging, or by the arrow keys, with Shift for several. */
export function useMarking(parts: number, onChosen: (from: number, to: number) => void) {
  const [marked, setMarked] = useState<Marking>();
  const last = parts - 1;
  const within = (part: number) => Math.min(last, Math.max(0, part));
  const low = marked ? Math.min(marked.from, marked.to) : last;
  const high = marked ? Math.max(marked.from, marked.to) : last;
  const partAt = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return within(Math.floor(((event.clientX - left) / width) * parts));
  };
  const clear = () => setMarked(undefined);
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      setMarked({ from: partAt(event), to: partAt(event) });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const to = partAt(event);
      setMarked(before => ({ from: event.buttons && before ? before.from : to, to }));
    },
    onPointerUp: () => onChosen(low, high),
    onPointerLeave: clear,
    onBlur: clear,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Enter' && marked) onChosen(low, high);
      if (event.key === 'Escape') clear();
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const to = within((marked?.to ?? last + 1) + step);
      setMarked({ from: event.shiftKey && marked ? marked.from : to, to });
    },
  };
  return { marked, low, high, handlers };
}
