import { useState } from 'react';
import { call } from '#console/core/client.ts';
import type { AuditQuestion } from '#console/logs/auditQuestion.ts';
import { ExportLinks } from '#console/logs/ExportLinks.tsx';
import css from '#console/logs/logs.module.css';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import { Facts } from '#console/ui/screen/Panel.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { StatePill } from '#console/ui/state/StatePill.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { CallFailed, pathOf } from '#contract/client.ts';
import { exportLogEntries, type LogVerification, verifyLogEntries } from '#contract/log.ts';
import { numberText } from '#rules/text/numberText.ts';

/** Exports the log, and verifies that nobody has altered it. */
export function AuditTools({ projectId, question }: { projectId: string; question: AuditQuestion }) {
  const [checking, setChecking] = useState(false);
  return (
    <>
      <ExportLinks of={pathOf(exportLogEntries, { projectId })} question={question} />
      <Button onClick={() => setChecking(true)}>Verify</Button>
      {checking && <Verification projectId={projectId} onClose={() => setChecking(false)} />}
    </>
  );
}

function Verification({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [result, setResult] = useState<LogVerification>();
  const [error, setError] = useState<CallFailed>();
  const [busy, setBusy] = useState(false);
  const [head, setHead] = useState('');
  async function verify() {
    setBusy(true);
    setError(undefined);
    try {
      const query = head ? { head } : {};
      setResult(await call(verifyLogEntries, { params: { projectId }, query }));
    } catch (failure) {
      if (!(failure instanceof CallFailed)) throw failure;
      setError(failure);
    }
    setBusy(false);
  }
  return (
    <Dialog title="Verify the audit log" onClose={onClose}>
      <DialogBody>
        <FormError error={error} />
        {!result && (
          <p>
            Each entry is sealed with a hash of its content and of the previous hash. Verification checks the
            whole chain and finds any entry that was changed, removed or inserted later.
          </p>
        )}
        <TextField
          label="Head hash of an earlier verification"
          hint="Optional. Also verifies that the chain still contains it, so nothing was removed from the end."
          mono
          value={head}
          onChange={text => setHead(text.trim().toLowerCase())}
          error={error?.fields.head && 'A head hash has 64 characters: digits and letters a to f.'}
        />
        <div role="status">{result && <Result result={result} />}</div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Button variant="primary" busy={busy} onClick={() => void verify()}>
          {result ? 'Verify again' : 'Verify'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Result({ result }: { result: LogVerification }) {
  const { intact, entriesChecked, entriesNotYetSealed, firstEntryAt, lastEntryAt, headHash, fault } = result;
  return (
    <div className={css.result}>
      <StatePill
        tone={intact ? 'ok' : 'danger'}
        word={intact ? 'The log is intact' : 'The log was tampered with'}
      />
      {fault && <p>{fault.text}</p>}
      <Facts
        facts={[
          ['Checked', `${numberText(entriesChecked)} entries`],
          ['From', firstEntryAt ? absoluteTime(firstEntryAt) : '–'],
          ['To', lastEntryAt ? absoluteTime(lastEntryAt) : '–'],
          [
            'Not yet sealed',
            entriesNotYetSealed === 0
              ? 'none'
              : `${numberText(entriesNotYetSealed)}, covered by the next verification`,
          ],
          ...(fault?.entryId
            ? ([['Entry', <CopyText key="e" text={fault.entryId} label="Copy entry id" />]] as const)
            : []),
          ...(headHash
            ? ([['Head hash', <CopyText key="h" text={headHash} label="Copy head hash" />]] as const)
            : []),
        ]}
      />
      {headHash && (
        <p>Store the head hash elsewhere: with it you can prove later that no earlier entry was rewritten.</p>
      )}
    </div>
  );
}
