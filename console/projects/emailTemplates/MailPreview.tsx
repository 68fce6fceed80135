import { useUrlState } from '#console/core/urlState.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { ErrorState } from '#console/ui/state/ErrorState.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import css from './emailTemplates.module.css';
import { MailFrame } from './MailFrame.tsx';
import type { Preview } from './useMailPreview.ts';

const shapes = [
  { value: 'html', label: 'HTML' },
  { value: 'text', label: 'Text' },
] as const;
const widths = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
] as const;

interface MailPreviewProps {
  preview: Preview;
  /** The recipient of the sample. */
  to: string;
}

/** The draft as it would arrive. The chosen view is in the address. */
export function MailPreview({ preview: { mail, faults, error }, to }: MailPreviewProps) {
  const [url, change] = useUrlState();
  const shape = url.preview === 'text' ? 'text' : 'html';
  const width = url.width === 'phone' ? 'phone' : 'desktop';
  return (
    <Panel
      title="Preview"
      note="with sample data"
      flush
      action={
        <>
          {shape === 'html' && (
            <Segments
              label="Width"
              options={widths}
              chosen={width}
              onChange={value => change({ width: value === 'phone' ? value : undefined }, { replace: true })}
            />
          )}
          <Segments
            label="Format"
            options={shapes}
            chosen={shape}
            onChange={value => change({ preview: value === 'text' ? value : undefined }, { replace: true })}
          />
        </>
      }
    >
      {mail && (
        <>
          <dl className={css.envelope}>
            <dt>To</dt>
            <dd>{to}</dd>
            <dt>Subject</dt>
            <dd className={css.subject}>{mail.subject}</dd>
          </dl>
          {(faults.length > 0 || error) && (
            <p className={css.old}>
              {error ? error.message : 'This is your last draft without errors. Fix the errors to update it.'}
            </p>
          )}
          {shape === 'html' ? (
            <MailFrame html={mail.html} width={width} />
          ) : (
            <pre className={css.text}>{mail.text}</pre>
          )}
        </>
      )}
      {!mail && faults.length > 0 && (
        <p className={css.nothing}>The preview appears once the errors are fixed.</p>
      )}
      {!mail && faults.length === 0 && error && <ErrorState what="The preview" error={error} />}
      {!mail && faults.length === 0 && !error && (
        <div className={css.nothing}>
          <Skeleton lines={8} />
        </div>
      )}
    </Panel>
  );
}
