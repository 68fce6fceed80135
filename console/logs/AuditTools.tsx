import { useState } from 'react';
import { call } from '#console/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/Dialog.tsx';
import { FormError } from '#console/ui/FormError.tsx';
import { DownloadIcon } from '#console/ui/icons.tsx';
import { Facts } from '#console/ui/Panel.tsx';
import { StatePill } from '#console/ui/StatePill.tsx';
import { absoluteTime } from '#console/ui/TimeAgo.tsx';
import { CallFailed } from '#contract/client.ts';
import { type LogVerification, verifyLogEntries } from '#contract/log.ts';
import css from './logs.module.css';
import type { AuditQuery } from './useAuditEntries.ts';

/** Taking the log elsewhere, and checking that nobody has rewritten it. */
export function AuditTools({ projectId, query }: { projectId: string; query: AuditQuery }) {
  const [checking, setChecking] = useState(false);
  return (
    <>
      <ExportLink projectId={projectId} query={query} format="jsonl" label="JSON lines" />
      <ExportLink projectId={projectId} query={query} format="csv" label="CSV" />
      <Button onClick={() => setChecking(true)}>Verify</Button>
      {checking && <Verification projectId={projectId} onClose={() => setChecking(false)} />}
    </>
  );
}

interface ExportLinkProps {
  projectId: string;
  query: AuditQuery;
  format: 'jsonl' | 'csv';
  label: string;
}

/** All entries that the question finds, not only those on screen. */
function ExportLink({ projectId, query: { maxEntries: _, ...asked }, format, label }: ExportLinkProps) {
  const text = new URLSearchParams({ ...asked, format });
  return (
    <a
      className={css.export}
      href={`/api/projects/${encodeURIComponent(projectId)}/logEntries/export?${text}`}
      download
      aria-label={`Export as ${label}`}
    >
      <DownloadIcon />
      {label}
    </a>
  );
}

function Verification({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [result, setResult] = useState<LogVerification>();
  const [error, setError] = useState<CallFailed>();
  const [busy, setBusy] = useState(false);
  async function verify() {
    setBusy(true);
    setError(undefined);
    try {
      setResult(await call(verifyLogEntries, { params: { projectId } }));
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
            Each entry is sealed with a hash over itself and the hash before it. The check goes over the whole
            chain and finds any entry that was changed, removed or put in later.
          </p>
        )}
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
        word={intact ? 'Nothing was rewritten' : 'The log was tampered with'}
      />
      {fault && <p>{fault.text}</p>}
      <Facts
        facts={[
          ['Checked', `${entriesChecked.toLocaleString('en')} entries`],
          ['From', firstEntryAt ? absoluteTime(firstEntryAt) : '–'],
          ['To', lastEntryAt ? absoluteTime(lastEntryAt) : '–'],
          ['Not yet sealed', `${entriesNotYetSealed.toLocaleString('en')}, covered by the next check`],
          ...(fault?.entryId
            ? ([['Entry', <CopyText key="e" text={fault.entryId} label="Copy entry id" />]] as const)
            : []),
          ...(headHash
            ? ([['Head hash', <CopyText key="h" text={headHash} label="Copy head hash" />]] as const)
            : []),
        ]}
      />
      {headHash && (
        <p>Keep the head hash elsewhere: with it you can prove later that nothing before it was rewritten.</p>
      )}
    </div>
  );
}
