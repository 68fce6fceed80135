import { useState } from 'react';
import { useSubmit } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { AlertNoteDialog } from './AlertNoteDialog.tsx';
import { type AlertSelection, performOnAlerts } from './alertSelection.ts';
import { type AlertAct, actWords } from './alertWords.ts';

export interface ActingOnAlerts {
  act: AlertAct;
  selection: AlertSelection;
  clear?: () => void;
}

/** Acts on chosen alerts once a note was asked for. A running job is named in the address. */
export function useActOnAlerts() {
  const [acting, start] = useState<ActingOnAlerts>();
  const [, changeUrl] = useUrlState();
  const submit = useSubmit();

  async function run({ act, selection, clear }: ActingOnAlerts, note: string): Promise<boolean> {
    const { job } = await performOnAlerts(submit, act, selection, note);
    clear?.();
    const { done } = actWords[act];
    if (job?.state === 'running') changeUrl({ action: job.id }, { replace: true });
    else toast('id' in selection ? `Alert ${done.toLowerCase()}` : `${done} ${selection.said}`);
    return true;
  }

  const dialog = acting && (
    <AlertNoteDialog
      act={acting.act}
      said={'id' in acting.selection ? 'alert' : acting.selection.said}
      run={note => run(acting, note)}
      onClose={() => start(undefined)}
    />
  );
  return { start, dialog };
}
