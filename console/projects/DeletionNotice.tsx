import { useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { IconButton } from '#console/ui/Button.tsx';
import { Hint } from '#console/ui/Hint.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { readProjectDeletion } from '#contract/project.ts';
import { numberText } from '#rules/text/numberText.ts';

const askAgainMs = 500;

/** Follows the deletion named in the address until nothing of the project is left. */
export function DeletionNotice() {
  const [{ deletion }, change] = useUrlState();
  return deletion ? (
    <Watched deletionId={deletion} onDismiss={() => change({ deletion: undefined }, { replace: true })} />
  ) : null;
}

function Watched({ deletionId, onDismiss }: { deletionId: string; onDismiss: () => void }) {
  const [running, setRunning] = useState(true);
  const input = { params: { deletionId } };
  const { data, error } = useRead(readProjectDeletion, input, { refetchInterval: running && askAgainMs });
  if (running && data?.state === 'done') setRunning(false);
  const dismiss = (
    <IconButton label="Dismiss" onClick={onDismiss}>
      <CloseIcon size={14} />
    </IconButton>
  );
  if (!data) return error && <FormError error={error} action={dismiss} />;
  const { projectName, state, rowsRemoved } = data;
  const rows = `${numberText(rowsRemoved)} ${rowsRemoved === 1 ? 'row' : 'rows'}`;
  return (
    <div role="status">
      <Hint action={dismiss}>
        <b dir="auto">{projectName}</b>{' '}
        {state === 'done'
          ? 'has been deleted completely.'
          : `is no longer available. Its data is being removed: ${rows} so far.`}
      </Hint>
    </div>
  );
}
