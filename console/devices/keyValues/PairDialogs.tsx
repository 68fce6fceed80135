import { parsedJson, textOfJson } from '#console/ui/code/jsonText.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useAsk } from '#console/ui/dialog/useAsk.ts';
import { StaleNotice } from '#console/ui/edit/StaleNotice.tsx';
import { useEdit } from '#console/ui/edit/useEdit.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { CallFailed } from '#contract/client.ts';
import type { KvPair } from '#contract/deviceClass.ts';
import { deviceClassKeyMax, isDeviceClassKey } from '#rules/devices/deviceClassKey.ts';
import { valueFault } from './valueFault.ts';

type Pair = Pick<KvPair, 'key' | 'value' | 'revision'>;

interface NewPairProps {
  /** The initial values: a pair of the class that a device is to override. */
  start?: Pair;
  /** Fails with `KEY_TAKEN` if the key exists and is not to be overwritten. */
  onWrite: (key: string, value: never, isOver: boolean) => Promise<unknown>;
  onClose: () => void;
}

/** Checks that the key is valid and the value is JSON but not null, and asks before a pair is overwritten. */
export function NewPair({ start, onWrite, onClose }: NewPairProps) {
  const overwriting = useAsk();
  const form = useForm({
    initial: { key: start?.key ?? '', value: start ? textOfJson(start.value) : '' },
    check: ({ key, value }) => ({
      ...(!key.trim() ? { key: 'REQUIRED' } : !isDeviceClassKey(key.trim()) && { key: 'INVALID_KEY' }),
      ...valueFault(value),
    }),
    async submit({ key, value }) {
      const write = (isOver: boolean) => onWrite(key.trim(), parsedJson(value), isOver);
      try {
        await write(false);
      } catch (failure) {
        if (!(failure instanceof CallFailed) || failure.reason !== 'KEY_TAKEN') throw failure;
        if (!(await overwriting.ask())) return;
        await write(true);
      }
      toast('Key-value pair saved');
      onClose();
    },
  });
  return (
    <>
      <CreateDialog
        title={start ? 'Override for this device' : 'Create key-value pair'}
        verb={start ? 'Override' : 'Create pair'}
        form={form}
        onClose={onClose}
      >
        <TextField
          label="Key"
          mono
          maxLength={deviceClassKeyMax}
          autoComplete="off"
          spellCheck={false}
          readOnly={start !== undefined}
          placeholder="report-every-s"
          hint="Letters and digits, with _ - : in between."
          {...form.field('key')}
        />
        <JsonField label="Value" lines={[4, 16]} {...form.field('value')} />
      </CreateDialog>
      {overwriting.asking && (
        <Confirm {...overwriting.asking} title="Overwrite the pair?" verb="Overwrite pair">
          <p>A key-value pair with the same key already exists. Overwrite?</p>
        </Confirm>
      )}
    </>
  );
}

interface EditPairProps {
  pair: Pair;
  onWrite: (value: never, revision: number) => Promise<Pair>;
  onClose: () => void;
}

export function EditPair({ pair, onWrite, onClose }: EditPairProps) {
  const edit = useEdit({
    row: pair,
    words: { value: 'Value' },
    toForm: ({ value }: Pair) => ({ value: textOfJson(value) }),
    check: ({ value }) => valueFault(value),
    send: ({ value = '' }, revision) => onWrite(parsedJson(value), revision),
    onDone(saved) {
      if (saved) toast('Key-value pair saved');
      onClose();
    },
  });
  return (
    <CreateDialog title={pair.key} verb="Save pair" form={edit} onClose={onClose}>
      {edit.stale && <StaleNotice stale={edit.stale} saving={edit.saving} />}
      <JsonField
        label="Value"
        autoFocus
        lines={[6, 20]}
        onSave={() => void edit.send()}
        {...edit.field('value')}
      />
    </CreateDialog>
  );
}
