import { CopyText } from '#console/ui/CopyText.tsx';
import css from './CodeSample.module.css';

interface CodeSampleProps {
  /** What it is an example of, for screen readers. */
  label: string;
  /** The text to copy. */
  text: string;
  /** The text on screen if it differs, for example with a masked secret. */
  shown?: string;
}

/** A few lines to take elsewhere. */
export function CodeSample({ label, text, shown = text }: CodeSampleProps) {
  return (
    <div className={css.sample}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus */}
      <section className={css.code} aria-label={`${label}, code`} tabIndex={0}>
        <pre>{shown}</pre>
      </section>
      <span className={css.copy}>
        <CopyText text={text} shown={null} label="Copy code" />
      </span>
    </div>
  );
}
