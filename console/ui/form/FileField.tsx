import { type DragEvent, useState } from 'react';
import { UploadIcon } from '#console/ui/icons/icons.tsx';
import { Field, type FieldProps } from './Field.tsx';
import css from './FileField.module.css';

interface FileFieldProps extends FieldProps {
  value: File | undefined;
  onChange: (file: File | undefined) => void;
  /** In the format of the browser's file input. */
  accept?: string;
  name?: string;
}

/** A file field: choose a file or drop one. */
export function FileField({ value, onChange, accept, name, ...field }: FileFieldProps) {
  const [over, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onChange(file);
  }
  return (
    <Field {...field}>
      {control => (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the input below works with the keyboard
        <div
          className={css.drop}
          data-over={over || undefined}
          onDragOver={event => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <UploadIcon size={18} />
          <span className={css.said}>
            {value ? (
              <>
                <b dir="auto">{value.name}</b> {sizeText(value.size)}
              </>
            ) : (
              'Choose a file or drop it here'
            )}
          </span>
          <input
            {...control}
            type="file"
            name={name}
            accept={accept}
            className={css.input}
            onChange={({ target }) => onChange(target.files?.[0])}
          />
        </div>
      )}
    </Field>
  );
}

const units = ['B', 'kB', 'MB', 'GB'];

/** "1.4 MB" */
export function sizeText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${power === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[power]}`;
}
