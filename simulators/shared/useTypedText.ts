import { useState } from 'react';

/**
 * The text of a field that follows a live value: the typed text; while the field has the focus, the value when it got
 * the focus; otherwise the current value. `take` is only called with typed text.
 */
export function useTypedText(
  now: string,
  take: (text: string) => void,
  isFit: (text: string) => boolean = () => true,
) {
  const [held, setHeld] = useState<string>();
  const [typed, setTyped] = useState<string>();
  function leave() {
    setHeld(undefined);
    if (typed === undefined || !isFit(typed)) return;
    setTyped(undefined);
    if (typed !== now) take(typed);
  }
  return {
    typed,
    field: {
      value: typed ?? held ?? now,
      onFocus: () => setHeld(now),
      onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
      onBlur: leave,
      onKeyDown({ key }: { key: string }) {
        if (key === 'Enter') leave();
        if (key !== 'Escape') return;
        setTyped(undefined);
        setHeld(undefined);
      },
    },
  };
}
