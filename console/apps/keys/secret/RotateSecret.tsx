import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { graceChoices } from '#console/ui/dialog/graceChoices.ts';
import { SecretOnce } from '#console/ui/edit/SecretOnce.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { absoluteTime } from '#console/ui/time/dateTexts.ts';
import { type Key, rotateKey } from '#contract/key.ts';
import { keyGrace } from '#rules/time/lifetimes.ts';

/** Creates a new secret, shown only this once, and sets how long the back end may continue with the old one. */
export function RotateSecret({ keyRow, onClose }: { keyRow: Key; onClose: () => void }) {
  const [rotated, setRotated] = useState<Key>();
  const rotate = useCall(rotateKey);
  const form = useForm({
    initial: { graceS: String(keyGrace.defaultS) },
    async submit({ graceS }) {
      const body = { graceS: Number(graceS) };
      setRotated(await rotate.mutateAsync({ params: { keyId: keyRow.id }, body }));
    },
  });
  if (rotated)
    return (
      <SecretOnce
        title="New secret"
        what="secret"
        secret={rotated.secret ?? ''}
        copyLabel="Copy secret"
        facts={[
          'secret',
          [
            'Old secret',
            rotated.previousSecret ? `works until ${absoluteTime(rotated.previousSecret.until)}` : 'stopped',
          ],
        ]}
        onClose={onClose}
      />
    );
  const { previousSecret } = keyRow;
  return (
    <CreateDialog title="Rotate secret" form={form} onClose={onClose}>
      <p>The key gets a new secret. Update the back end before the old one stops working.</p>
      {previousSecret && (
        <p>
          The previous secret, ending in <code>{previousSecret.end}</code>, stops working immediately.
        </p>
      )}
      <SelectField
        label="Old secret stops working"
        options={graceChoices}
        hint={
          form.values.graceS === '0'
            ? 'Calls with it are refused immediately.'
            : 'Until then, both secrets work.'
        }
        {...form.field('graceS')}
      />
    </CreateDialog>
  );
}
