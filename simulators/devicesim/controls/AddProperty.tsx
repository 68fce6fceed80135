import { type FormEvent, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { JsonObject } from '#sdk/device.ts';
import css from '../devicesim.module.css';
import { parseJson } from './parseJson.ts';

/** Adds a property to the state. Input that is not JSON is treated as text. */
export function AddProperty({
  taken,
  onAdd,
}: {
  taken: readonly string[];
  onAdd: (patch: JsonObject) => void;
}) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const isFit = name.trim() !== '' && !taken.includes(name.trim()) && text.trim() !== '';

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isFit) return;
    onAdd(Object.fromEntries([[name.trim(), parseJson(text)?.value ?? text]]));
    setName('');
    setText('');
  }
  return (
    <form className={css.addProperty} onSubmit={submit}>
      <TextField label="New property" value={name} onChange={setName} placeholder="humidity" mono />
      <TextField label="Value" value={text} onChange={setText} placeholder="45, true, auto…" mono />
      <Button type="submit" disabled={!isFit}>
        Add property
      </Button>
    </form>
  );
}
