import type { ReactNode } from 'react';
import { useStore } from '#console/core/store.ts';
import { binarySize, countOf } from '#console/firmware/firmwareWords.ts';
import { Button } from '#console/ui/Button.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { durationText } from '#console/ui/time/TimeAgo.tsx';
import { uploadHours } from '#rules/time/lifetimes.ts';
import { PartsGrid } from './PartsGrid.tsx';
import { SignFile, type Signing } from './SignFile.tsx';
import css from './upload.module.css';
import { timeLeft } from './uploadPace.ts';
import type { UploadRun } from './uploadRun.ts';
import type { UploadView } from './uploadView.ts';

interface UploadProgressProps {
  run: UploadRun;
  signing: Omit<Signing, 'size' | 'sha256'>;
}

/** A running upload: how much, how fast, each of its parts, and what blocks it. */
export function UploadProgress({ run, signing }: UploadProgressProps) {
  const view = useStore(run.view);
  const { filename, sizeBytes, sentBytes, bytesPerS, phase, parts, partBytes, sha256, refusal } = view;
  const left = phase === 'sending' ? timeLeft(sizeBytes - sentBytes, bytesPerS) : undefined;
  return (
    <Panel
      title="Upload"
      note={<span dir="auto">{filename}</span>}
      action={left && <span className={css.left}>{left}</span>}
      flush
    >
      <div className={css.body}>
        <SentBar view={view} />
        <PartsGrid parts={parts} partBytes={partBytes} onRetry={number => run.retry(number)} />
      </div>
      {phase === 'signing' && sha256 !== undefined && (
        <SignFile
          signing={{ ...signing, size: sizeBytes, sha256 }}
          refusal={refusal}
          onSign={signature => run.sign(signature)}
        />
      )}
      <UploadBand view={view} onRetry={() => run.retry()} />
    </Panel>
  );
}

function SentBar({ view: { sizeBytes, sentBytes, bytesPerS, phase } }: { view: UploadView }) {
  const percent = percentOf(sentBytes, sizeBytes);
  const pace = phase === 'sending' && bytesPerS !== undefined && `${binarySize(bytesPerS)} a second`;
  return (
    <>
      <p className={css.figure}>
        <b>{ofTotal(sentBytes, sizeBytes)}</b>{' '}
        <span>{[`${percent} %`, phase === 'paused' && 'paused', pace].filter(Boolean).join(', ')}</span>
      </p>
      <progress
        className={css.bar}
        aria-label="Sent"
        max={100}
        value={percent}
        data-still={phase !== 'sending' || undefined}
      />
    </>
  );
}

/** What the developer should know or do now, below the parts. */
function UploadBand({ view, onRetry }: { view: UploadView; onRetry: () => void }) {
  const { phase, parts, refusal, resumedAfterMs } = view;
  if (phase === 'stuck')
    return (
      <Band tone="danger" action={<Button onClick={onRetry}>Retry</Button>}>
        <b>{countOf(parts.filter(({ state }) => state === 'failed').length, 'part')} could not be stored.</b>{' '}
        {refusal?.kind === 'refused' && (
          <>
            {refusal.sentence} <code>{refusal.reason}</code>
          </>
        )}
      </Band>
    );
  if (phase === 'waiting')
    return (
      <Band tone="warn">
        <b>No connection.</b> The stored parts are kept. The upload resumes when Mooring answers again.
      </Band>
    );
  if (phase === 'reading' || phase === 'completing')
    return (
      <Band>
        {phase === 'reading'
          ? 'All parts are stored. The checksum of the file is being computed.'
          : 'All parts are stored. The upload is being completed.'}
      </Band>
    );
  if (phase === 'signing') return null;
  return (
    <Band>
      {resumedAfterMs !== undefined && (
        <>
          <b>Resumed after {durationText(resumedAfterMs)} without network.</b> Nothing was sent twice.{' '}
        </>
      )}
      You can close this tab: choose the same file again within {uploadHours} h and the upload resumes where
      it stopped.
    </Band>
  );
}

interface BandProps {
  tone?: 'warn' | 'danger';
  action?: ReactNode;
  children: ReactNode;
}

export function Band({ tone, action, children }: BandProps) {
  return (
    <div className={css.band} data-tone={tone} role={tone ? 'alert' : undefined}>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Rounded down: it is 100 only when nothing is left. */
export function percentOf(sent: number, total: number): number {
  return Math.floor((sent / total) * 100);
}

/** "240 of 384 MiB" */
function ofTotal(sent: number, total: number): string {
  const [sentText, totalText] = [binarySize(sent), binarySize(total)];
  const unit = totalText.split(' ')[1] ?? '';
  return sentText.endsWith(` ${unit}`)
    ? `${sentText.slice(0, -unit.length - 1)} of ${totalText}`
    : `${sentText} of ${totalText}`;
}
