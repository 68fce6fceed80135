import { useEffect, useRef, useState } from 'react';
import type { Value } from '#console/modules/sentence/condition.ts';
import css from './ruleEditor.module.css';
import type { Choosing } from './useChoosing.ts';

interface ValueSlotProps {
  id: string;
  choosing: Choosing;
  label: string;
  kind: 'number' | 'text';
  value: Value | undefined;
  unit: string | undefined;
  onChange: (value: Value | undefined) => void;
}

/** The value that another is compared with, typed in the sentence. */
export function ValueSlot({ id, choosing, label, kind, value, unit, onChange }: ValueSlotProps) {
  const said =
    value === undefined ? '' : 'number' in value ? value.number : 'text' in value ? value.text : '';
  const [typed, setTyped] = useState(said);
  const sent = useRef(said);
  // The code or a choice may have changed it meanwhile; what is being typed stays.
  useEffect(() => {
    if (said === sent.current) return;
    sent.current = said;
    setTyped(said);
  }, [said]);
  function send(next: string | undefined) {
    sent.current = next ?? '';
    onChange(next === undefined ? undefined : kind === 'text' ? { text: next } : { number: next });
  }
  function type(text: string) {
    setTyped(text);
    send(kind === 'text' ? text : numberOf(text));
  }
  const isOpen = value === undefined;
  return (
    <span
      className={css.slot}
      data-active={choosing.slot === id || undefined}
      data-open={isOpen || undefined}
    >
      <input
        data-slot={id}
        data-open={isOpen || undefined}
        aria-label={label}
        aria-invalid={isOpen || undefined}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={kind === 'number' ? 'number' : 'text'}
        size={Math.max(kind === 'number' ? 4 : 6, typed.length)}
        value={typed}
        onFocus={() => choosing.activate(id)}
        onChange={({ target }) => type(target.value)}
        onKeyDown={choosing.onKeyDown}
      />
      {unit && <small>{unit}</small>}
    </span>
  );
}

/** A number as a condition writes it; a decimal comma is one too. */
function numberOf(text: string): string | undefined {
  const plain = text.trim().replace(',', '.').replace('−', '-').replace(/\.$/, '');
  return /^-?\d+(\.\d+)?$/.test(plain) ? plain : undefined;
}
