import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { Button, IconButton } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import type { FieldTable } from '#console/ui/fields/fields.ts';
import { CloseIcon } from '#console/ui/icons/icon.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { CallFailed } from '#contract/client.ts';
import { type Component, editComponent, signingKeysMax } from '#contract/component.ts';
import css from './components.module.css';

type SigningKey = Component['signingKeys'][number];

interface SigningKeysPanelProps {
  component: Component;
  locked: boolean;
}

/** The keys whose signatures are accepted; if there is any, every version has to be signed by one of them. */
export function SigningKeysPanel({ component, locked }: SigningKeysPanelProps) {
  const { signingKeys: keys } = component;
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<SigningKey>();
  const add = !locked && keys.length < signingKeysMax && (
    <Button variant="quiet" onClick={() => setAdding(true)}>
      Add signing key
    </Button>
  );
  return (
    <>
      {keys.length === 0 ? (
        <Panel title="Signing keys" action={add}>
          <p className={css.quiet}>Versions need no signature.</p>
        </Panel>
      ) : (
        <Panel title="Signing keys" note={`${keys.length} of ${signingKeysMax}`} action={add}>
          <div className={css.stack}>
            <ul className={css.keys}>
              {keys.map(key => (
                <li key={key.id}>
                  <b dir="auto">{key.id}</b>
                  {!locked && (
                    <IconButton label={`Remove signing key ${key.id}`} onClick={() => setRemoved(key)}>
                      <CloseIcon size={14} />
                    </IconButton>
                  )}
                  <CopyText text={key.publicKey} wrap label="Copy public key" />
                </li>
              ))}
            </ul>
            <p className={css.quiet}>Each version must be signed with one of them.</p>
          </div>
        </Panel>
      )}
      {isAdding && <AddKey component={component} onClose={() => setAdding(false)} />}
      {removed && <RemoveKey component={component} removed={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

const keyFields: FieldTable<'id' | 'publicKey'> = {
  id: {
    label: 'Name',
    required: true,
    max: 40,
    placeholder: '2026-A',
    hint: 'Signatures refer to the key by this id.',
  },
  publicKey: {
    label: 'Public key',
    mono: true,
    required: true,
    max: 44,
    check: text => (/^[A-Za-z0-9+/]{43}=$/.test(text) ? undefined : 'INVALID_FORMAT'),
    hint: 'Ed25519, its 32 bytes in base64: openssl pkey -in key.pem -pubout -outform DER | tail -c 32 | base64',
  },
};

function AddKey({ component, onClose }: { component: Component; onClose: () => void }) {
  const save = useCall(editComponent);
  const { id: componentId, signingKeys, revision: ifMatch } = component;
  const form = useCreateForm(keyFields, async ({ id, publicKey }) => {
    const key = { id: id.trim(), publicKey: publicKey.trim() };
    if (signingKeys.some(one => one.id === key.id))
      throw new CallFailed(
        { reason: 'INVALID_FIELDS', message: '', fields: { id: 'NAME_TAKEN' } },
        { status: 422 },
      );
    await save.mutateAsync({
      params: { componentId },
      body: { signingKeys: [...signingKeys, key] },
      ifMatch,
    });
    toast('Signing key added');
    onClose();
  });
  return (
    <FieldsDialog title="Add signing key" form={form} fields={keyFields} onClose={onClose}>
      <p>
        Once you add a key, each new version of the component must be signed with one of its keys. The private
        key stays with you.
      </p>
    </FieldsDialog>
  );
}

interface RemoveKeyProps {
  component: Component;
  removed: SigningKey;
  onClose: () => void;
}

function RemoveKey({ component, removed, onClose }: RemoveKeyProps) {
  const save = useCall(editComponent);
  const { id: componentId, signingKeys, revision: ifMatch } = component;
  async function remove() {
    const left = signingKeys.filter(({ id }) => id !== removed.id);
    await save.mutateAsync({ params: { componentId }, body: { signingKeys: left }, ifMatch });
    toast('Signing key removed');
  }
  return (
    <Confirm title="Remove signing key" verb="Remove signing key" onConfirm={remove} onClose={onClose}>
      <p>
        New versions signed with <b dir="auto">{removed.id}</b> are no longer accepted.
      </p>
      {signingKeys.length === 1 && <p>This is the last key: versions will no longer need a signature.</p>}
    </Confirm>
  );
}
