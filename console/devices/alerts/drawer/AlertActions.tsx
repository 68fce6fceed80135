import { useState } from 'react';
import { useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { showNotSaved } from '#console/core/submit/notSaved.ts';
import { useIsHere } from '#console/core/useIsHere.ts';
import { performOnAlerts } from '#console/devices/alerts/alertSelection.ts';
import css from '#console/devices/alerts/alerts.module.css';
import { type AlertAct, actsIn, actWords } from '#console/devices/alerts/alertWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { discardWords } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { UnsavedChangesGuard } from '#console/ui/dialog/UnsavedChangesGuard.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { type AlertDetail, changeAlert, noteMax } from '#contract/alert.ts';
import { CallFailed } from '#contract/client.ts';

/** The next steps of one alert, each with an optional note. */
export function AlertActions({ projectId, alert }: { projectId: string; alert: AlertDetail }) {
  const { note, setNote, busy, error, run } = useAlertActs(projectId, alert);
  return (
    <div className={css.act}>
      <UnsavedChangesGuard
        ofDialog
        {...discardWords}
        dirty={note.trim() !== ''}
        saving={busy !== undefined}
      />
      <FormError error={error} />
      <TextArea label="Note" rows={2} maxLength={noteMax} value={note} onChange={setNote} />
      <div className={css.buttons}>
        {actsIn[alert.state].map((act, at) => (
          <Button
            key={act}
            variant={at === 0 && alert.state !== 'resolved' ? 'primary' : 'plain'}
            busy={busy === act}
            onClick={() => void run(act)}
          >
            {actWords[act].verb}
          </Button>
        ))}
        {note.trim() !== '' && (
          <Button variant="quiet" busy={busy === 'note'} onClick={() => void run('note')}>
            Only add note
          </Button>
        )}
      </div>
    </div>
  );
}

function useAlertActs(projectId: string, alert: AlertDetail) {
  const { id } = alert;
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState<AlertAct | 'note'>();
  const [error, setError] = useState<CallFailed>();
  const submit = useSubmit();
  const isHere = useIsHere();

  async function run(what: AlertAct | 'note') {
    if (busy) return;
    setBusy(what);
    setError(undefined);
    try {
      if (what === 'note') {
        await submit(changeAlert, { params: { alertId: id }, body: { note: note.trim() } });
        await invalidate(changeAlert, { alertId: id });
      } else {
        await performOnAlerts(submit, what, { projectId, said: alert.text, id }, note.trim());
        toast(`Alert ${actWords[what].done.toLowerCase()}`);
      }
      // What was typed since is another note.
      setNote(now => (now === note ? '' : now));
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      if (!isHere()) showNotSaved(failure);
      setError(failure);
    } finally {
      setBusy(undefined);
    }
  }

  return { note, setNote, busy, error, run };
}
