import { useRef } from 'react';
import css from '#console/apps/apps.module.css';
import { Button } from '#console/ui/Button.tsx';
import { jsonLanguage } from '#console/ui/code/codeLanguages.ts';
import { CodeField, type CodeFieldHandle, type CodeMark } from '#console/ui/form/CodeField.tsx';
import { sentenceOf } from '#console/ui/form/fieldSentence.ts';
import { WarningIcon } from '#console/ui/icons/icon.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { appConfigBytesMax } from '#contract/app.ts';
import { numberText } from '#rules/text/numberText.ts';
import { configBytes, configFault } from './configText.ts';

interface ConfigFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The server's error; faults found in the browser are shown while typing. */
  error: string | undefined;
  onSave: () => void;
}

/** The editor of a config, with its faults shown below while typing. */
export function ConfigField({ value, onChange, error, onSave }: ConfigFieldProps) {
  const editor = useRef<CodeFieldHandle>(null);
  const fault = configFault(value) ?? error;
  return (
    <div className={css.config}>
      <CodeField
        ref={editor}
        label="Config"
        language={jsonLanguage}
        value={value}
        onChange={onChange}
        lines={[12, 32]}
        marks={fault === 'INVALID_OBJECT' ? [wholeFirstLine(value, sentenceOf(fault))] : []}
        invalid={fault !== undefined}
        autoFocus
        onSave={onSave}
      />
      <div className={css.configFoot}>
        <p role="status" data-tone={fault ? 'danger' : 'ok'}>
          {fault ? <WarningIcon size={14} /> : <CheckIcon size={14} />}
          <span>
            {fault ? saidOf(fault) : value.trim() === '' ? 'Empty object' : 'Valid object'}{' '}
            {fault && <code>{fault}</code>}
          </span>
        </p>
        <span>
          {numberText(configBytes(value))} of {numberText(appConfigBytesMax)} bytes
        </span>
        <Button variant="quiet" onClick={() => editor.current?.format()}>
          Format
        </Button>
      </div>
    </div>
  );
}

const saidOf = (fault: string) =>
  fault === 'TOO_LARGE' ? `A config can have at most ${appConfigBytesMax / 1024} KiB.` : sentenceOf(fault);

/** Marks the first line of a value that is not an object. */
function wholeFirstLine(text: string, message: string): CodeMark {
  const before = text.slice(0, text.search(/\S/)).split('\n');
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line, column, length: text.split('\n')[line - 1]?.trim().length ?? 1, message };
}
