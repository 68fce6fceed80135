import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { SecretOnce } from '#console/ui/edit/SecretOnce.tsx';
import { FormFields } from '#console/ui/fields/FormFields.tsx';
import { emptyValues, type FieldValues, faultsIn, fieldsOf } from '#console/ui/fields/fields.ts';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { capabilities } from '#contract/endpoint.ts';
import { capabilityDefaults, createKey, type Key } from '#contract/key.ts';
import { capabilityWords } from './capabilityWords.ts';
import { keyFields } from './keyFields.ts';
import css from './keys.module.css';

type Flags = Record<keyof typeof capabilityDefaults, boolean>;
type Values = FieldValues<'name' | 'description'> & Flags;

interface NewKeyProps {
  projectId: string;
  onClose: () => void;
}

/** Asks what the key may do, shows its secret only this once, and opens its page. */
export function NewKey({ projectId, onClose }: NewKeyProps) {
  const navigate = useNavigate();
  const [created, setCreated] = useState<Key>();
  const create = useCall(createKey);
  const fields = fieldsOf(keyFields, 'create');
  const form = useForm<Values>({
    initial: { ...emptyValues(keyFields), ...capabilityDefaults },
    check: values => faultsIn(fields, values),
    async submit({ description, ...values }) {
      const body = { ...values, ...(description && { description }) };
      setCreated(await create.mutateAsync({ params: { projectId }, body }));
    },
  });
  if (created)
    return (
      <SecretOnce
        title="Key created"
        what="secret"
        secret={created.secret ?? ''}
        copyLabel="Copy secret"
        facts={[
          [
            'Name',
            <span key="name" dir="auto">
              {created.name}
            </span>,
          ],
          'secret',
        ]}
        onClose={() =>
          void navigate({
            to: '/projects/$projectId/other_clients/$keyId',
            params: { projectId, keyId: created.id },
            hash: '',
            replace: true,
          })
        }
      />
    );
  return (
    <CreateDialog title="Create key" form={form} onClose={onClose}>
      <FormFields fields={fields} form={form} />
      <fieldset className={css.flags}>
        <legend>Capabilities</legend>
        {capabilities.map(one => (
          <Checkbox
            key={one}
            label={capabilityWords[one].label}
            hint={capabilityWords[one].hint}
            checked={form.values[one]}
            onChange={isOn => form.set(one, isOn)}
          />
        ))}
      </fieldset>
    </CreateDialog>
  );
}
