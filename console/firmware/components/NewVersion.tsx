import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '#console/core/api.ts';
import { Button } from '#console/ui/Button.tsx';
import { schemaMarks } from '#console/ui/code/jsonText.ts';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FormFields } from '#console/ui/fields/FormFields.tsx';
import { faultsIn, fieldsOf } from '#console/ui/fields/fields.ts';
import { JsonField } from '#console/ui/form/JsonField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import type { Component } from '#contract/component.ts';
import { createComponentVersion } from '#contract/componentVersion.ts';
import { schemaFault, schemaOfText, versionFields } from './versionFields.ts';

interface NewVersionProps {
  projectId: string;
  component: Component;
  onClose: () => void;
}

/** Opens the new version, where the next step is its file. */
export function NewVersion({ projectId, component, onClose }: NewVersionProps) {
  const { id: componentId } = component;
  const navigate = useNavigate();
  const create = useCall(createComponentVersion);
  const fields = fieldsOf(versionFields, 'create');
  const form = useForm({
    initial: { name: '', securityVersion: '0', deviceConfigSchema: '' },
    check: values => {
      const fault = schemaFault(values.deviceConfigSchema);
      return { ...faultsIn(fields, values), ...(fault && { deviceConfigSchema: fault }) };
    },
    async submit({ name, securityVersion, deviceConfigSchema: text }) {
      const schema = schemaOfText(text);
      const body = {
        componentId,
        name: name.trim(),
        securityVersion: Number(securityVersion || 0),
        ...(schema !== undefined && { deviceConfigSchema: schema }),
      };
      const { id: versionId } = await create.mutateAsync({ body });
      toast('Version created');
      const to = '/projects/$projectId/components/$componentId/versions/$versionId';
      await navigate({ to, params: { projectId, componentId, versionId }, hash: '', replace: true });
    },
  });
  return (
    <CreateDialog title="Create version" form={form} onClose={onClose}>
      <FormFields fields={fields} form={form} />
      <SchemaField form={form} />
    </CreateDialog>
  );
}

type NewVersionForm = ReturnType<
  typeof useForm<{ name: string; securityVersion: string; deviceConfigSchema: string }>
>;

/** Most versions have no schema, so the editor opens on request. */
function SchemaField({ form }: { form: NewVersionForm }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <div>
        <Button variant="quiet" onClick={() => setOpen(true)}>
          Add config schema
        </Button>
      </div>
    );
  return (
    <JsonField
      label="Config schema (optional)"
      autoFocus
      lines={[6, 16]}
      marks={schemaMarks(form.failure, form.values.deviceConfigSchema, '/deviceConfigSchema')}
      hint="A JSON Schema of the config that this version accepts."
      {...form.field('deviceConfigSchema')}
    />
  );
}
