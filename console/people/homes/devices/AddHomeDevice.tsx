import { useState } from 'react';
import { useCall, useRead } from '#console/core/api.ts';
import { deviceName, stateOf } from '#console/devices/deviceWords.ts';
import { PickOne } from '#console/people/PickOne.tsx';
import { CreateDialog } from '#console/ui/dialog/CreateDialog.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { useForm } from '#console/ui/form/useForm.ts';
import { Dot } from '#console/ui/state/StatePill.tsx';
import { listDevices } from '#contract/device.ts';
import type { Home } from '#contract/home.ts';
import { addHomeDevice } from '#contract/homeDevice.ts';

const shownMax = 6;

/** Adds a device that is in no home to this one, without its claim code. */
export function AddHomeDevice({ home, onClose }: { home: Home; onClose: () => void }) {
  const { id: homeId, projectId } = home;
  const add = useCall(addHomeDevice);
  const [search, setSearch] = useState('');
  const { data, error } = useRead(listDevices, {
    query: { projectId, claimed: false, limit: shownMax, ...(search && { search }) },
  });
  const form = useForm({
    initial: { deviceId: '' },
    check: ({ deviceId }) => (deviceId ? {} : { deviceId: 'REQUIRED' }),
    async submit({ deviceId }) {
      await add.mutateAsync({ params: { homeId }, body: { deviceId } });
      toast('Device added');
      onClose();
    },
  });
  const found = data?.items.slice(0, shownMax).map(device => ({
    value: device.id,
    label: deviceName(device),
    detail: [device.name && device.tag, device.deviceClass].filter(Boolean).join(', '),
    icon: <Dot tone={stateOf(device).tone} />,
  }));
  return (
    <CreateDialog title="Add device" form={form} onClose={onClose}>
      <PickOne
        label="Device"
        hint="Devices that are not in a home. Adding one uses up its claim code."
        placeholder="Tag, name, id…"
        found={found}
        failed={error}
        none="No unclaimed device matches. A device in another home must be released there first."
        onSearch={setSearch}
        {...form.field('deviceId')}
      />
    </CreateDialog>
  );
}
