import type { Json } from '#sdk/device.ts';
import { useTypedText } from '../../shared/useTypedText.ts';
import css from '../devicesim.module.css';
import { parseJson } from './parseJson.ts';

interface TextControlProps {
  name: string;
  value: Json;
  onChange: (value: Json) => void;
}

/** A text is edited as text; a list or null as JSON. */
export function TextControl({ name, value, onChange }: TextControlProps) {
  const isText = typeof value === 'string';
  const isFit = (text: string) => isText || parseJson(text) !== undefined;
  const { typed, field } = useTypedText(
    isText ? value : JSON.stringify(value),
    text => onChange(isText ? text : (parseJson(text)?.value ?? null)),
    isFit,
  );
  return (
    <input
      className={css.typed}
      aria-label={isText ? name : `${name}, as JSON`}
      aria-invalid={(typed !== undefined && !isFit(typed)) || undefined}
      {...field}
    />
  );
}
