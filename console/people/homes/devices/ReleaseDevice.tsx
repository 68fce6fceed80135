import { lazy, useRef, useState } from 'react';
import { call, invalidate } from '#console/core/client.ts';
import { deviceName } from '#console/devices/deviceWords.ts';
import css from '#console/people/homes/homes.module.css';
import { Button } from '#console/ui/Button.tsx';
import { CopyText } from '#console/ui/CopyText.tsx';
import { Confirm } from '#console/ui/dialog/Confirm.tsx';
import { Dialog, DialogBody, DialogFooter } from '#console/ui/dialog/Dialog.tsx';
import { LazyPiece } from '#console/ui/lazy/LazyPiece.tsx';
import { Skeleton } from '#console/ui/state/Skeleton.tsx';
import { CallFailed } from '#contract/client.ts';
import { readDevice } from '#contract/device.ts';
import type { Home } from '#contract/home.ts';
import { type HomeDevice, releaseHomeDevice } from '#contract/homeDevice.ts';

const Qr = lazy(() => import('#console/ui/Qr.tsx'));

interface ReleaseDeviceProps {
  home: Home;
  device: HomeDevice;
  onClose: () => void;
}

/** Asks before a device leaves a home; then shows the claim code for the next home. */
export function ReleaseDevice({ home, device, onClose }: ReleaseDeviceProps) {
  const [claimCode, setClaimCode] = useState<string>();
  const isDone = useRef(false);
  const params = { homeId: home.id, deviceId: device.id };
  const name = <b dir="auto">{deviceName(device)}</b>;
  if (claimCode !== undefined)
    return (
      <Dialog title="Device released" onClose={onClose}>
        <DialogBody>
          <p role="status">{name} is no longer in a home. Anyone with this code can claim it:</p>
          <div className={css.code}>
            <CopyText text={claimCode} label="Copy claim code" />
            <span className={css.qr}>
              <LazyPiece waiting={<Skeleton lines={4} />}>
                <Qr text={claimCode} label={`Claim code ${claimCode} as a QR code`} />
              </LazyPiece>
            </span>
          </div>
          <p className={css.small}>The device’s page also shows it until the device is claimed.</p>
        </DialogBody>
        <DialogFooter>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </DialogFooter>
      </Dialog>
    );
  async function release() {
    const code = await call(releaseHomeDevice, { params }).then(
      released => released.claimCode,
      failure => codeIfReleased(failure, device),
    );
    isDone.current = true;
    setClaimCode(code);
    void invalidate(releaseHomeDevice, params);
  }
  return (
    <Confirm
      title="Release from home"
      verb="Release device"
      onConfirm={release}
      // The dialog closes itself when done; the claim code then takes its place.
      onClose={() => {
        if (!isDone.current) onClose();
      }}
    >
      <p>
        {name} leaves <b dir="auto">{home.name}</b>: its members no longer see it, and the home’s data on it
        is wiped. It gets a new claim code, which another home can use to claim it.
      </p>
    </Confirm>
  );
}

/** An earlier press has released it, though its answer was lost: the device still has the code. */
async function codeIfReleased(failure: unknown, { id: deviceId }: HomeDevice): Promise<string> {
  if (!(failure instanceof CallFailed) || failure.reason !== 'DEVICE_NOT_FOUND') throw failure;
  const { claimCode } = await call(readDevice, { params: { deviceId } });
  if (claimCode === undefined) throw failure;
  return claimCode;
}
