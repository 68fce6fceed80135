import { useState } from 'react';
import { calls, forgetCalls, type NumberedCall } from '#console/core/calls.ts';
import { useStore } from '#console/core/store.ts';
import { Breakable } from '#console/ui/Breakable.tsx';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { Dialog } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import lines from '#console/ui/logs/Lines.module.css';
import { EmptyState } from '#console/ui/state/EmptyState.tsx';
import { secondText } from '#console/ui/time/dateTexts.ts';
import { asCurl, asTypeScript, hasSecrets, masked } from './callSnippets.ts';
import css from './Inspector.module.css';
import { closeOverlay } from './overlay.ts';

const shownMax = 20_000;

/** The latest calls of this console, which thus documents how it uses the API. */
export default function Inspector() {
  const made = useStore(calls);
  return (
    <Dialog title="API calls" shape="drawer" onClose={closeOverlay}>
      <p className={css.about}>
        The calls this console has made, newest first. Your programs can do everything the console does. Open
        a call to copy it as curl or TypeScript.
      </p>
      <div className={css.top}>
        <a href="/docs" target="_blank" rel="noopener">
          API reference
        </a>
        <Button variant="quiet" onClick={forgetCalls}>
          Clear
        </Button>
      </div>
      {made.length === 0 ? (
        <EmptyState title="No calls yet">API calls made by the console appear here from now on.</EmptyState>
      ) : (
        <ol className={css.list}>
          {made.map(call => (
            <li key={call.number}>
              <Call call={call} />
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}

function Call({ call }: { call: NumberedCall }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={lines.fold} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className={`${lines.mono} ${css.call}`}>
        <span className={css.method}>{call.method}</span>
        <span className={css.path}>
          <Breakable text={readable(call.url)} />
        </span>
        <span className={css.status} data-failed={call.status === 0 || call.status >= 400 || undefined}>
          {call.status || 'no response'}
        </span>
        <span className={css.ms}>{call.ms} ms</span>
      </summary>
      {open && <Details call={call} />}
    </details>
  );
}

function Details({ call }: { call: NumberedCall }) {
  const [revealed, setRevealed] = useState(false);
  const show = (value: unknown) => (revealed ? value : masked(value));
  const shown = { ...call, requestBody: show(call.requestBody), answer: show(call.answer) };
  return (
    <div className={css.details}>
      <div className={css.buttons}>
        <Button onClick={() => void copyAs('curl', asCurl(shown))}>Copy as curl</Button>
        <Button onClick={() => void copyAs('TypeScript', asTypeScript(shown))}>Copy as TypeScript</Button>
        {hasSecrets(call) && (
          <Button variant="quiet" aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>
            {revealed ? 'Hide secrets' : 'Show secrets'}
          </Button>
        )}
      </div>
      <p className={css.facts}>
        {call.name}, {secondText(call.startedAt)}
        {call.requestId && `, request ${call.requestId}`}
      </p>
      {shown.requestBody !== undefined && <Json title="Request" value={shown.requestBody} />}
      {shown.answer !== undefined && <Json title="Response" value={shown.answer} />}
    </div>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <section>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs keyboard focus */}
      <pre className={css.json} tabIndex={0}>
        {text.length > shownMax ? `${text.slice(0, shownMax)}\n… ${text.length - shownMax} more` : text}
      </pre>
    </section>
  );
}

/** Without the common prefix, and decoded if possible. */
function readable(url: string): string {
  const path = url.replace(/^\/api/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function copyAs(what: string, text: string): Promise<void> {
  toast((await copy(text)) ? `Copied as ${what}` : 'Your browser did not allow copying');
}
