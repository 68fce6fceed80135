import { useState } from 'react';
import { useTypedText } from '../../shared/useTypedText.ts';
import css from '../devicesim.module.css';
import { sliderRange } from './sliderRange.ts';

interface NumberControlProps {
  name: string;
  value: number;
  onChange: (value: number) => void;
}

/** A slider with a number field. The range stays the same while dragging, and adapts when the number leaves it. */
export function NumberControl({ name, value, onChange }: NumberControlProps) {
  const [range, setRange] = useState(() => sliderRange(name, value));
  if (value < range.min || value > range.max) setRange(sliderRange(name, value));

  const { field } = useTypedText(String(value), text => {
    const number = Number(text);
    if (text.trim() !== '' && Number.isFinite(number) && number !== value) onChange(number);
  });
  return (
    <span className={css.number}>
      <input
        type="range"
        aria-label={name}
        {...range}
        value={value}
        onChange={event => onChange(event.target.valueAsNumber)}
      />
      <input className={css.typed} inputMode="decimal" aria-label={`${name}, as a number`} {...field} />
    </span>
  );
}
