import { useState } from 'react';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { Rollout, RolloutAct } from '#contract/rollout.ts';
import { actWords } from './actWords.tsx';

interface AskActProps {
  act: RolloutAct;
  rollout: Rollout;
  perform: (act: RolloutAct, reason: string) => Promise<void>;
  onClose: () => void;
}

/** Asks before an act that ends something, with its consequences in numbers. */
export function AskAct({ act, rollout, perform, onClose }: AskActProps) {
  const { label, verb, says, isDanger = false, takesReason = false } = actWords[act];
  const [reason, setReason] = useState('');
  return (
    <Confirm
      title={`${label}?`}
      verb={verb}
      danger={isDanger}
      onConfirm={() => perform(act, reason)}
      onClose={onClose}
    >
      {says?.(rollout)}
      {takesReason && (
        <TextField
          label="Reason (optional)"
          hint="Recorded in the rollout’s history."
          maxLength={500}
          dir="auto"
          autoComplete="off"
          value={reason}
          onChange={setReason}
        />
      )}
    </Confirm>
  );
}
