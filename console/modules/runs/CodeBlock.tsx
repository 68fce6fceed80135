import { type ReactNode, useMemo } from 'react';
import json from '#console/ui/code/JsonLines.module.css';
import { jsonTokens } from '#console/ui/code/jsonTokens.ts';
import css from './runDetail.module.css';

interface CodeBlockProps {
  title: string;
  action?: ReactNode;
  text: string;
  /** The tone of the first line. */
  tone?: 'danger';
}

const header = /^([\w-]+)(: )(.*)$/;

/** A request or response as sent, with the colours of the editor. */
export function CodeBlock({ title, action, text, tone }: CodeBlockProps) {
  const lines = useMemo(() => text.split('\n'), [text]);
  return (
    <div className={css.block}>
      <header>
        <h3>{title}</h3>
        {action}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus */}
      <section className={css.code} aria-label={`${title}, code`} tabIndex={0}>
        <pre>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by number
            <span key={at} data-tone={at === 0 ? tone : undefined}>
              <Line text={line} />
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
    </div>
  );
}

function Line({ text }: { text: string }) {
  const [, name, colon, value] = header.exec(text) ?? [];
  if (name !== undefined)
    return (
      <>
        {name}
        {colon}
        <span className={json.text}>{value}</span>
      </>
    );
  if (!/^\s*["{}[\]\d-]/.test(text)) return <>{text}</>;
  return (
    <>
      {jsonTokens(text).map(({ kind, text: piece }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by position
        <span key={at} className={json[kind]}>
          {piece}
        </span>
      ))}
    </>
  );
}
