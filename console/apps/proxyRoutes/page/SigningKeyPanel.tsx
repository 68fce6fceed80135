import { useState } from 'react';
import css from '#console/apps/proxyRoutes/proxyRoutes.module.css';
import { useCall } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { graceChoices } from '#console/ui/dialog/graceChoices.ts';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Facts, Panel } from '#console/ui/screen/Panel.tsx';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { TimeAgo } from '#console/ui/time/TimeAgo.tsx';
import {
  endPreviousSigningKey,
  type ProxyRoute,
  readSigningKey,
  rotateSigningKey,
  type SignatureAlgorithm,
} from '#contract/proxyRoute.ts';
import { signingKeyGrace } from '#rules/time/lifetimes.ts';
import { ShowSigningKey } from './ShowSigningKey.tsx';
import { Verifiers } from './Verifier.tsx';

const algorithmWords: Record<SignatureAlgorithm, string> = {
  'hmac-sha256': 'HMAC-SHA-256, RFC 9421',
  ed25519: 'Ed25519, RFC 9421',
};

/** The key with which a back end verifies that a call came from the platform. */
export function SigningKeyPanel({ route }: { route: ProxyRoute }) {
  const [asked, setAsked] = useState<'rotate' | 'end' | 'show'>();
  const mayRotate = useMay(rotateSigningKey);
  const mayShow = useMay(readSigningKey);
  const { keyId, algorithm, createdAt, previous } = route.signing;
  const close = () => setAsked(undefined);
  return (
    <Panel
      title="Signing key"
      action={
        mayRotate && (
          <Button variant="quiet" onClick={() => setAsked('rotate')}>
            Rotate
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ['Key id', <CopyText key="id" text={keyId} label="Copy key id" />],
          ['Method', algorithmWords[algorithm]],
          ['Created', <TimeAgo key="created" time={createdAt} />],
          ...(previous
            ? ([
                [
                  'Previous',
                  <span key="previous">
                    <code>{previous.keyId}</code>, signs until {absoluteTime(previous.until)}
                  </span>,
                ],
              ] as const)
            : []),
        ]}
      />
      {(mayShow || (previous && mayRotate)) && (
        <div className={css.buttons}>
          {mayShow && <Button onClick={() => setAsked('show')}>Show key</Button>}
          {previous && mayRotate && (
            <Button variant="quiet" onClick={() => setAsked('end')}>
              End previous
            </Button>
          )}
        </div>
      )}
      <Verifiers />
      {asked === 'show' && <ShowSigningKey route={route} onClose={close} />}
      {asked === 'rotate' && <Rotate route={route} onClose={close} onRotated={() => setAsked('show')} />}
      {asked === 'end' && <EndPrevious route={route} onClose={close} />}
    </Panel>
  );
}

interface DialogProps {
  route: ProxyRoute;
  onClose: () => void;
}

const algorithms = Object.entries(algorithmWords).map(([value, label]) => ({ value, label }));

function Rotate({ route, onClose, onRotated }: DialogProps & { onRotated: () => void }) {
  const rotate = useCall(rotateSigningKey);
  const form = useForm({
    initial: { graceS: String(signingKeyGrace.defaultS), algorithm: route.signing.algorithm as string },
    async submit({ graceS, algorithm }) {
      const body = { graceS: Number(graceS), algorithm: algorithm as SignatureAlgorithm };
      await rotate.mutateAsync({ params: { routeId: route.id }, body });
      toast('Signing key rotated');
      onRotated();
    },
  });
  return (
    <CreateDialog title="Rotate signing key" form={form} onClose={onClose}>
      <p>Calls are signed with a new key, and also with the old one until it ends.</p>
      <SelectField label="Method" options={algorithms} {...form.field('algorithm')} />
      <SelectField label="Old key ends" options={graceChoices} {...form.field('graceS')} />
    </CreateDialog>
  );
}

function EndPrevious({ route: { id: routeId, signing }, onClose }: DialogProps) {
  const end = useCall(endPreviousSigningKey, { onDone: () => toast('Previous key ended') });
  return (
    <Confirm
      title="End the previous key?"
      verb="End key"
      onConfirm={() => end.mutateAsync({ params: { routeId } })}
      onClose={onClose}
    >
      <p>
        Calls will be signed only with <code>{signing.keyId}</code>. A back end that only knows{' '}
        <code>{signing.previous?.keyId}</code> will refuse them.
      </p>
    </Confirm>
  );
}
