import { useState } from 'react';
import shared from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { copy } from '#console/ui/CopyText.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { TextArea } from '#console/ui/form/TextField.tsx';
import { CheckIcon } from '#console/ui/icons/icons.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { BodyOf } from '#contract/endpoint.ts';
import { type ProxyTest, sendProxyCall } from '#contract/proxyCall.ts';
import { curlCommand } from '#rules/shell/curlCommand.ts';
import { Answer } from './Answer.tsx';
import { Headers } from './Headers.tsx';
import css from './tester.module.css';

interface LeavesProps {
  test: ProxyTest;
  asked: BodyOf<typeof sendProxyCall>;
}

/** What the back end would receive, and the button that sends it. */
export function Leaves({ test: { sent }, asked }: LeavesProps) {
  const [body, setBody] = useState('');
  const maySend = useMay(sendProxyCall);
  const send = useCall(sendProxyCall);
  if (!sent) return null;
  const hasBody = asked.method !== 'GET' && asked.method !== 'DELETE';
  async function take() {
    if (sent && (await copy(curlOf(sent, hasBody ? body : '')))) toast('Copied');
  }
  return (
    <div className={css.leaves}>
      <div className={css.line}>
        <code className={shared.method}>{sent.method}</code>
        <code className={shared.path}>{sent.url}</code>
        <Button variant="quiet" onClick={() => void take()}>
          Copy as curl
        </Button>
        {maySend && (
          <Button
            variant="primary"
            busy={send.isPending}
            onClick={() => send.mutate({ body: { ...asked, ...(hasBody && body && { body }) } })}
          >
            Send call
          </Button>
        )}
      </div>
      {hasBody && (
        <div className={css.body}>
          <TextArea
            label="Body (optional)"
            mono
            rows={3}
            spellCheck={false}
            value={body}
            onChange={setBody}
          />
        </div>
      )}
      <Headers headers={sent.headers} />
      {sent.dropped.length > 0 && (
        <p className={css.dropped}>
          <CheckIcon /> Dropped from what the app sent: <code>{sent.dropped.join(', ')}</code>
        </p>
      )}
      {send.error && (
        <div className={shared.waiting}>
          <FormError error={send.error} />
        </div>
      )}
      {send.data && <Answer answer={send.data} />}
    </div>
  );
}

/** The host name is in the URL; curl adds the header itself. */
function curlOf({ method, url, headers }: NonNullable<ProxyTest['sent']>, body: string): string {
  const others = headers.filter(({ name }) => name.toLowerCase() !== 'host');
  const named = others.map(({ name, value }) => [name, value] as const);
  return curlCommand({ method, url, headers: named, body, options: ['--include'] });
}
