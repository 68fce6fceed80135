import { type FormEvent, useState } from 'react';
import { Button } from '#console/ui/Button.tsx';
import { jsonLanguage } from '#console/ui/code/codeLanguages.ts';
import { CodeField } from '#console/ui/form/CodeField.tsx';
import { isObject } from '#rules/json/mergePatch.ts';
import type { Json } from '#sdk/device.ts';
import css from '../devicesim.module.css';
import { parseJson } from './parseJson.ts';

interface JsonFormProps {
  label: string;
  value: Json;
  /** The verb on the button. */
  verb: string;
  onSave: (value: Json) => void;
  objectOnly?: boolean;
  lines?: readonly [min: number, max: number];
}

/** An editor for JSON that is submitted as a whole. */
export function JsonForm({ label, value, verb, onSave, objectOnly = false, lines = [4, 18] }: JsonFormProps) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const parsed = parseJson(text);
  const isFit = parsed !== undefined && (!objectOnly || isObject(parsed.value));
  const save = () => {
    if (parsed && isFit) onSave(parsed.value);
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    save();
  }
  return (
    <form className={css.stack} onSubmit={submit}>
      <CodeField
        label={label}
        language={jsonLanguage}
        value={text}
        onChange={setText}
        onSave={save}
        lines={lines}
      />
      <div className={css.line}>
        <Button type="submit" variant="primary" disabled={!isFit}>
          {verb}
        </Button>
        {parsed && !isFit && <span className={css.quiet}>This must be a JSON object.</span>}
      </div>
    </form>
  );
}
