import { type FormEvent, useState } from 'react';
import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import type { CallFailed } from '#contract/client.ts';
import type { LiveHome } from '#sdk/app.ts';
import { nameOfDevice } from '../devices/nameOfDevice.ts';
import { type AppSimulation, failureOf } from '../simulation.ts';
import { CodeBoxes, codeLength } from './CodeBoxes.tsx';
import css from './panels.module.css';
import { mayScan, ScanCode } from './ScanCode.tsx';

/** The boxes for a claim code, and the home for the device. */
export function ClaimForm({ simulation, home }: { simulation: AppSimulation; home: LiveHome }) {
  const { code, failure, busy, type, claim } = useClaim(simulation, home);
  const [scanning, setScanning] = useState(false);
  const homes = useStore(simulation.homes) ?? [];

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code.length === codeLength) void claim();
  }
  return (
    <form className={css.form} onSubmit={submit}>
      <CodeBoxes code={code} failure={failure} onChange={type} />
      <SelectField
        label="To home"
        value={home.id}
        onChange={id => void simulation.readHomes(id)}
        options={homes.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <div className={css.line}>
        <Button type="submit" variant="primary" busy={busy} disabled={code.length !== codeLength}>
          Claim device
        </Button>
        {mayScan() && (
          <Button variant="quiet" onClick={() => setScanning(!scanning)}>
            {scanning ? 'Stop scanning' : 'Scan QR'}
          </Button>
        )}
      </div>
      {scanning && (
        <ScanCode
          onCode={found => {
            setScanning(false);
            type(found);
          }}
        />
      )}
    </form>
  );
}

function useClaim(simulation: AppSimulation, home: LiveHome) {
  const [code, setCode] = useState(simulation.address.device?.claimCode ?? '');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallFailed>();

  async function claim() {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const device = await home.claim(code);
      setCode('');
      simulation.navigation.show('home');
      toast(`${nameOfDevice(device.about)} is in ${home.about.name}`);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  }
  const type = (next: string) => {
    setCode(next);
    setFailure(undefined);
  };
  return { code, failure, busy, type, claim };
}
