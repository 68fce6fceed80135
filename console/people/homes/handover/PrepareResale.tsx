import { useRef, useState } from 'react';
import { useRead, useSubmit } from '#console/core/api.ts';
import { invalidate } from '#console/core/client.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import { countOf } from '#console/firmware/firmwareWords.ts';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { Checkbox } from '#console/ui/form/Checkbox.tsx';
import type { Home } from '#contract/home.ts';
import { listHomeDevices, prepareResale, type Resale } from '#contract/homeDevice.ts';
import { ResaleReady } from './ResaleReady.tsx';

/** Asks, with numbers, before every device of a home is exported, wiped and released; then shows the new claim codes. */
export function PrepareResale({ home, onClose }: { home: Home; onClose: () => void }) {
  const { id: homeId, name, deviceCount, memberCount, owner } = home;
  const { data: devices } = useRead(listHomeDevices, { params: { homeId } });
  const isDone = useRef(false);
  const [rotateKeys, setRotateKeys] = useState(false);
  const submit = useSubmit();
  const [ready, setReady] = useState<{ resale: Resale; names: ReadonlyMap<string, string> }>();
  if (ready)
    return (
      <ResaleReady
        {...ready}
        ownerId={owner.id}
        projectId={home.projectId}
        onClose={() => {
          onClose();
          void invalidate(prepareResale, { homeId });
        }}
      />
    );
  async function go() {
    const names = new Map(devices?.map(device => [device.id, deviceName(device)]));
    const resale = await submit(prepareResale, { params: { homeId }, body: { rotateKeys } });
    isDone.current = true;
    setReady({ resale, names });
  }
  const all = countOf(deviceCount, 'device');
  return (
    <Confirm
      title="Prepare resale"
      verb={`Wipe and release ${all}`}
      typedName={name}
      onConfirm={go}
      // The dialog closes itself when done; the claim codes then take its place.
      onClose={() => {
        if (!isDone.current) onClose();
      }}
    >
      <p>
        {countOf(deviceCount, 'device of', 'devices of')} <b dir="auto">{name}</b>{' '}
        {deviceCount === 1 ? 'is' : 'are'} exported, wiped and released, each with a new claim code for the
        next owner. {countOf(memberCount, 'member keeps', 'members keep')} the home, without devices. This
        cannot be undone.
      </p>
      <Checkbox
        label="Also rotate the keys of the devices"
        checked={rotateKeys}
        onChange={setRotateKeys}
        hint="Choose this if someone may have copied the keys. The old keys work for 24 hours, so the devices must have the new ones by then."
      />
    </Confirm>
  );
}
