import { CopyText } from '#console/ui/CopyText.tsx';
import css from './CodeSample.module.css';

interface CodeSampleProps {
  /** What it is an example of, for those who do not see what stands above it. */
  label: string;
  /** What is copied. */
  text: string;
  /** What is on screen, where that is not the same: a secret is masked. */
  shown?: string;
}

/** A few lines to take elsewhere. */
export function CodeSample({ label, text, shown = text }: CodeSampleProps) {
  return (
    <div className={css.sample}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, and the keyboard is to reach it */}
      <section className={css.code} aria-label={`${label}, code`} tabIndex={0}>
        <pre>{shown}</pre>
      </section>
      <span className={css.copy}>
        <CopyText text={text} shown={null} label="Copy code" />
      </span>
    </div>
  );
}
