import { useState } from 'react';
import type { Json } from '#sdk/device.ts';
import css from '../devicesim.module.css';
import { parseJson } from './parseJson.ts';

interface TextControlProps {
  name: string;
  value: Json;
  onChange: (value: Json) => void;
}

/** A text as it is; a list or null as JSON, since nothing better is known of it. */
export function TextControl({ name, value, onChange }: TextControlProps) {
  const isText = typeof value === 'string';
  const [typed, setTyped] = useState<string>();
  const shown = isText ? value : JSON.stringify(value);
  const isFit = isText || typed === undefined || parseJson(typed) !== undefined;

  function take() {
    if (typed === undefined || !isFit) return;
    setTyped(undefined);
    if (typed !== shown) onChange(isText ? typed : (parseJson(typed)?.value ?? null));
  }
  return (
    <input
      className={css.typed}
      aria-label={isText ? name : `${name}, as JSON`}
      aria-invalid={!isFit || undefined}
      value={typed ?? shown}
      onChange={event => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={event => {
        if (event.key === 'Enter') take();
        if (event.key === 'Escape') setTyped(undefined);
      }}
    />
  );
}
