import { DownloadIcon } from '#console/ui/icons/icons.tsx';
import type { AuditQuestion } from './auditQuestion.ts';
import css from './logs.module.css';

interface ExportLinksProps {
  /** The path of the call that exports. */
  of: string;
  question: AuditQuestion;
}

const formats = [
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'csv', label: 'CSV' },
] as const;

/** Exports all entries that the query finds, not only those on screen. */
export function ExportLinks({ of, question: { level, ...asked } }: ExportLinksProps) {
  return formats.map(({ format, label }) => {
    const given = { ...asked, ...(level !== undefined && { level: String(level) }), format };
    return (
      <a
        key={format}
        className={css.export}
        href={`/api${of}?${new URLSearchParams(given)}`}
        download
        aria-label={`Export as ${label}`}
      >
        <DownloadIcon />
        {label}
      </a>
    );
  });
}
