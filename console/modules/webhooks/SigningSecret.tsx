import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { SecretOnce } from '#console/ui/edit/SecretOnce.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { rotateWebhookSecret, type WebhookSecret } from '#contract/moduleWebhook.ts';
import type { SmartModule } from '#contract/smartModule.ts';
import { previousSignsHours } from '#rules/time/lifetimes.ts';
import css from './webhook.module.css';

/** Creates a new signing secret and shows it only this once. The receiver uses it to verify the sender. */
export function SigningSecret({ module: { projectId, id: moduleId } }: { module: SmartModule }) {
  const may = useMay(rotateWebhookSecret);
  const [asking, setAsking] = useState(false);
  const [made, setMade] = useState<WebhookSecret>();
  const rotate = useCall(rotateWebhookSecret, { onDone: setMade });
  if (!may) return null;
  return (
    <div className={css.secret}>
      <Button onClick={() => setAsking(true)}>New signing secret</Button>
      {asking && (
        <Confirm
          title="Create a new signing secret?"
          verb="Create new secret"
          danger={false}
          onConfirm={() => rotate.mutateAsync({ params: { projectId, moduleId } })}
          onClose={() => setAsking(false)}
        >
          <p>
            It is shown once, for your receiver. Calls are also signed with the previous one for{' '}
            {previousSignsHours} hours, so that your receiver accepts them while you replace it.
          </p>
        </Confirm>
      )}
      {made && (
        <SecretOnce
          title="New signing secret"
          what="secret"
          secret={made.secret}
          copyLabel="Copy signing secret"
          facts={[
            'secret',
            ...(made.previousUntil
              ? [['Previous one', `also signs until ${absoluteTime(made.previousUntil)}`] as const]
              : []),
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
    </div>
  );
}
