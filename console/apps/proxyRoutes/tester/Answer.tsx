import shared from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { CodeSample } from '#console/ui/code/CodeSample.tsx';
import type { ProxyAnswer } from '#contract/proxyCall.ts';
import { Headers } from './Headers.tsx';
import css from './tester.module.css';

/** The answer of the back end. */
export function Answer({ answer }: { answer: ProxyAnswer }) {
  const { status, ms, headers, body, encoding, isTruncated } = answer;
  return (
    <section className={css.answer} aria-label="Answer" aria-live="polite">
      <h3>
        <code className={shared.status} data-failed={status >= 400 || undefined}>
          {status}
        </code>{' '}
        <span>in {Math.round(ms)} ms</span>
      </h3>
      <Headers headers={headers} />
      {body === '' ? (
        <p className={shared.empty}>The answer has no body.</p>
      ) : (
        <CodeSample label={encoding === 'base64' ? 'Body in base64' : 'Body'} text={body} />
      )}
      {isTruncated && <p className={shared.empty}>Only the first 64 KiB are shown.</p>}
    </section>
  );
}
