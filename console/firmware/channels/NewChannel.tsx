import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useUrlState } from '#console/core/urlState.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { FieldsDialog, useCreateForm } from '#console/ui/fields/FieldsDialog.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { listBundleNames } from '#contract/bundle.ts';
import { createChannel, defaultChannel } from '#contract/channel.ts';
import { channelFields } from './channelFields.ts';

interface NewChannelProps {
  projectId: string;
  classes: readonly string[];
  onClose: () => void;
}

/** A new channel: empty, or pointing at a bundle from the start (`of` and `bundle` in the address). */
export function NewChannel(props: NewChannelProps) {
  const { projectId, classes, onClose } = props;
  if (classes.length > 0) return <ChannelForm {...props} />;
  return (
    <Dialog title="Create channel" onClose={onClose}>
      <DialogBody>
        <p>You must have at least one device class before creating a channel.</p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
        <Link
          to="/projects/$projectId/device_classes"
          params={{ projectId }}
          hash="new"
          className={buttonClass('primary')}
        >
          Create device class
        </Link>
      </DialogFooter>
    </Dialog>
  );
}

function ChannelForm({ projectId, classes, onClose }: NewChannelProps) {
  const navigate = useNavigate();
  const create = useCall(createChannel);
  const [{ of: ofClass = '', bundle = '' }] = useUrlState();
  const [deviceClass, setClass] = useState(classes.includes(ofClass) ? ofClass : (classes[0] ?? ''));
  const [chosen, setBundle] = useState(bundle);
  const { data: bundles } = useRead(listBundleNames, { query: { projectId, deviceClass } });
  const bundleId = bundles?.find(({ id }) => id === chosen)?.id ?? '';
  const form = useCreateForm(
    channelFields,
    async ({ name, description }) => {
      const given = { ...(description && { description }), ...(bundleId && { bundleId }) };
      const body = { projectId, deviceClass, name: name.trim(), ...given };
      const { id: channelId } = await create.mutateAsync({ body });
      toast('Channel created');
      const to = '/projects/$projectId/channels/$channelId';
      await navigate({ to, params: { projectId, channelId }, hash: '', replace: true });
    },
    { name: defaultChannel },
  );
  const chooseClass = (id: string) => {
    setClass(id);
    setBundle('');
  };
  return (
    <FieldsDialog title="Create channel" form={form} fields={channelFields} onClose={onClose}>
      <SelectField
        label="Class"
        value={deviceClass}
        onChange={chooseClass}
        options={classes.map(id => ({ value: id, label: id }))}
      />
      <SelectField
        label="Bundle (optional)"
        hint="What its devices should run. You can choose one later."
        value={bundleId}
        onChange={setBundle}
        options={[
          { value: '', label: 'None yet' },
          ...(bundles ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </FieldsDialog>
  );
}
