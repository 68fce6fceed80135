import { useState } from 'react';
import bar from '#console/ui/list/Toolbar.module.css';
import { minuteField, utcMinute } from './dayField.ts';

interface MomentFieldProps {
  label: string;
  className: string | undefined;
  /** `2026-11-20T10:15Z`, as it is in the address. */
  value: string | undefined;
  invalid?: boolean;
  onChange: (value: string) => void;
}

/**
 * A moment in the address of a screen, shown and entered in the time zone of the browser. The address has it in UTC, so
 * that a link shows the same period to everyone.
 */
export function MomentField({ label, className, value = '', invalid = false, onChange }: MomentFieldProps) {
  const [typed, setTyped] = useState('');
  // What is being typed stays as it is: a year that is not yet complete has another offset from UTC.
  const shown = value !== '' && utcMinute(typed) === value ? typed : localMinute(value);
  return (
    <label className={className}>
      {label}
      <input
        className={bar.control}
        type="datetime-local"
        value={shown}
        aria-invalid={invalid || undefined}
        onChange={event => {
          setTyped(event.target.value);
          onChange(utcMinute(event.target.value));
        }}
      />
    </label>
  );
}

/** Addresses can contain anything. */
function localMinute(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : minuteField(time);
}
