import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { localTime } from '#console/ui/logs/localTime.ts';
import type { Attempt } from '#contract/moduleRun.ts';
import { curlCommand } from '#rules/shell/curlCommand.ts';
import { numberText } from '#rules/text/numberText.ts';
import { CodeBlock } from './CodeBlock.tsx';
import css from './runDetail.module.css';

/** What one attempt sent and what came back, or the result of each of its actions. */
export function AttemptView({ attempt }: { attempt: Attempt }) {
  const { at, ms, isOk, summary, sent, answered, actions } = attempt;
  return (
    <>
      <p className={css.said} data-ok={isOk || undefined}>
        {isOk ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
        <span dir="auto">{summary}</span>
        <span className={css.quiet}>
          {localTime(at)}, {numberText(Math.round(ms))} ms
        </span>
      </p>
      {actions && actions.length > 0 && (
        <ol className={css.actions}>
          {actions.map((action, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: actions are identified by position
            <li key={number} data-ok={action.isOk || undefined}>
              {action.isOk ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
              <b>{action.action}</b> <span dir="auto">{action.summary}</span>
            </li>
          ))}
        </ol>
      )}
      {sent && <Exchange sent={sent} answered={answered} isOk={isOk} />}
    </>
  );
}

/** The request, which can be repeated from a terminal, and the response. */
function Exchange({
  sent,
  answered,
  isOk,
}: {
  sent: NonNullable<Attempt['sent']>;
  answered: Attempt['answered'];
  isOk: boolean;
}) {
  async function take() {
    const text = curlCommand({ ...sent, headers: Object.entries(sent.headers) });
    if (await copy(text)) toast('Copied as curl');
  }
  return (
    <div className={css.exchange}>
      <CodeBlock
        title="Sent"
        action={
          <Button variant="quiet" onClick={() => void take()}>
            Copy as curl
          </Button>
        }
        text={[`${sent.method} ${sent.url}`, ...headerLines(sent.headers), '', readableBody(sent.body)].join(
          '\n',
        )}
      />
      <CodeBlock
        title="Answered"
        {...(!isOk && { tone: 'danger' as const })}
        text={
          answered
            ? [
                String(answered.status),
                ...headerLines(answered.headers),
                '',
                readableBody(answered.body),
              ].join('\n')
            : 'No answer.'
        }
      />
    </div>
  );
}

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

/** JSON, indented; anything else unchanged. */
function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
