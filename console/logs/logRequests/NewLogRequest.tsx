import { useCall } from '#console/core/api.ts';
import { serverNow } from '#console/core/serverClock.ts';
import { Button } from '#console/ui/Button.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { minuteField } from '#console/ui/fields/dayField.ts';
import { TextField } from '#console/ui/form/TextField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { createLogRequest, prefixesMax, prefixLengthMax } from '#contract/logRequest.ts';
import { reasons } from '#contract/problem.ts';
import { hourMs, minuteMs } from '#rules/time/durations.ts';
import css from './logRequests.module.css';
import { prefixesOf } from './logRequestWords.ts';

interface NewLogRequestProps {
  deviceId: string;
  hasPending: boolean;
  onClose: () => void;
}

/** One pending request at a time. The server enforces it; the form only says so early. */
export function NewLogRequest({ deviceId, hasPending, onClose }: NewLogRequestProps) {
  if (!hasPending) return <NewForm deviceId={deviceId} onClose={onClose} />;
  return (
    <Dialog title="Request log" onClose={onClose}>
      <DialogBody>
        <p>{reasons.LOG_REQUEST_PENDING[1]}</p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

/**
 * The field has whole minutes, so the end is rounded up: otherwise the lines of the current minute would be missing.
 */

function NewForm({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const create = useCall(createLogRequest);
  const form = useForm({
    initial: {
      start: minuteField(new Date(serverNow() - hourMs)),
      end: minuteField(new Date(serverNow() + minuteMs)),
      prefixes: '',
    },
    check: ({ start, end, prefixes }) => ({
      ...faultOfRange(start, end),
      ...(prefixesFit(prefixesOf(prefixes)) ? {} : { prefixes: 'TOO_LONG' }),
    }),
    async submit({ start, end, prefixes }) {
      const body = {
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
        prefixes: prefixesOf(prefixes),
      };
      await create.mutateAsync({ params: { deviceId }, body });
      toast('Log requested');
      onClose();
    },
  });
  return (
    <CreateDialog title="Request log" form={form} onClose={onClose}>
      <div className={css.range}>
        <TextField label="From" type="datetime-local" max={lastField} {...form.field('start')} />
        <TextField label="To" type="datetime-local" max={lastField} {...form.field('end')} />
      </div>
      <TextField
        label="Prefixes (optional)"
        mono
        autoComplete="off"
        spellCheck={false}
        placeholder="wifi, sensor"
        hint={`Only lines that start with one of these. Separate with commas; ${prefixesMax} at most, of ${prefixLengthMax} characters each. Leave empty for all lines.`}
        {...form.field('prefixes')}
      />
    </CreateDialog>
  );
}

/** The browser's field accepts six-digit years; ours have four digits. */
const lastField = '9999-12-31T23:59';

function faultOfRange(start: string, end: string): { start?: string; end?: string } {
  const faults = { ...faultOfTime('start', start), ...faultOfTime('end', end) };
  if (faults.start || faults.end || new Date(start) < new Date(end)) return faults;
  return { start: 'START_NOT_BEFORE_END' };
}

function faultOfTime(name: 'start' | 'end', text: string): { start?: string; end?: string } {
  if (!text) return { [name]: 'REQUIRED' };
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999 ? {} : { [name]: 'INVALID' };
}

function prefixesFit(prefixes: string[]): boolean {
  return prefixes.length <= prefixesMax && prefixes.every(prefix => prefix.length <= prefixLengthMax);
}
