import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { useMay } from '#console/core/membership/useMay.ts';
import { Button } from '#console/ui/Button.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { listBundleNames } from '#contract/bundle.ts';
import { type Device, editDevice } from '#contract/device.ts';
import type { DeviceFirmware } from '#contract/deviceFirmware.ts';
import css from './deviceFirmware.module.css';

interface PinActionsProps {
  device: Device;
  firmware: DeviceFirmware;
}

/** A pin overrides rollout and channel: it updates a device early, or holds it at a bundle. */
export function PinActions({ device, firmware }: PinActionsProps) {
  const { id: deviceId, revision } = device;
  const [isChoosing, setChoosing] = useState(false);
  const mayEdit = useMay(editDevice);
  const save = useCall(editDevice, { onDone: () => toast('Device saved') });
  if (!mayEdit) return null;
  const pin = (bundlePinned: string | null) =>
    save.mutate({ params: { deviceId }, body: { bundlePinned }, ifMatch: revision });
  const { why, current } = firmware;
  const coming = why.decidedBy === 'channel' ? why.rollout?.bundle : undefined;
  const here = current?.bundle;
  const isOnly = !coming && !here && !why.pin;
  return (
    <>
      <FormError error={save.error} />
      <div className={css.buttons}>
        {coming && (
          <Button busy={save.isPending} onClick={() => pin(coming.id)}>
            Update this device now
          </Button>
        )}
        {why.pin ? (
          <Button busy={save.isPending} onClick={() => pin(null)}>
            Unpin
          </Button>
        ) : (
          here && (
            <Button variant="quiet" onClick={() => pin(here.id)}>
              Pin to {here.name}
            </Button>
          )
        )}
        <Button variant={isOnly ? 'plain' : 'quiet'} onClick={() => setChoosing(true)}>
          {isOnly ? 'Pin to a bundle' : 'Pin to another bundle'}
        </Button>
      </div>
      {coming && (
        <p className={css.small}>
          Updating it now pins it to {coming.name}; unpin it when the rollout is over.
        </p>
      )}
      {isChoosing && <ChoosePin device={device} onClose={() => setChoosing(false)} />}
    </>
  );
}

function ChoosePin({ device, onClose }: { device: Device; onClose: () => void }) {
  const { id: deviceId, projectId, deviceClass, bundlePinned, revision } = device;
  const { data } = useRead(listBundleNames, { query: { projectId, deviceClass } });
  const bundles = data?.filter(({ id }) => id !== bundlePinned) ?? [];
  const save = useCall(editDevice);
  const form = useForm({
    initial: { bundle: '' },
    check: ({ bundle }) => (bundle === '' ? { bundle: 'REQUIRED' } : {}),
    async submit({ bundle }) {
      await save.mutateAsync({ params: { deviceId }, body: { bundlePinned: bundle }, ifMatch: revision });
      toast('Device saved');
      onClose();
    },
  });
  return (
    <CreateDialog title="Pin to a bundle" verb="Pin device" form={form} onClose={onClose}>
      <SelectField
        label="Bundle"
        hint="The device runs it whatever its channel points at, until it is unpinned."
        {...form.field('bundle')}
        options={[
          { value: '', label: data && bundles.length === 0 ? 'No other bundle' : 'Choose a bundle' },
          ...bundles.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </CreateDialog>
  );
}
