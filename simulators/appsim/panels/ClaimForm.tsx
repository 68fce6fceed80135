import { type FormEvent, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { toast } from '#console/ui/dialog/Toast.tsx';
import { setSentence } from '#console/ui/form/fieldSentence.ts';
import { SelectField } from '#console/ui/form/SelectField.tsx';
import { TextField } from '#console/ui/form/TextField.tsx';
import type { CallFailed } from '#contract/client.ts';
import { claimCodeMax, claimCodeMin } from '#rules/devices/claimCode.ts';
import type { LiveHome } from '#sdk/app.ts';
import { nameOfDevice } from '../devices/nameOfDevice.ts';
import { type AppSimulation, failureOf } from '../simulation.ts';
import { claimCodeIn, isClaimCode } from './claimCode.ts';
import css from './panels.module.css';
import { mayScan, ScanCode } from './ScanCode.tsx';

/** The claim code, and the home for the device. */
export function ClaimForm({ simulation, home }: { simulation: AppSimulation; home: LiveHome }) {
  const { code, failure, busy, type, claim } = useClaim(simulation, home);
  const [scanning, setScanning] = useState(false);
  const homes = useStore(simulation.homes) ?? [];

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isClaimCode(code)) void claim();
  }
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Claim code"
        mono
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={`On the label, or shown by the device simulator: ${claimCodeMin} to ${claimCodeMax} letters and digits. Capitals and small letters differ.`}
        error={failure?.reason}
        value={code}
        onChange={text => type(claimCodeIn(text))}
      />
      <SelectField
        label="To home"
        value={home.id}
        onChange={id => void simulation.readHomes(id)}
        options={homes.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <div className={css.line}>
        <Button type="submit" variant="primary" busy={busy} disabled={!isClaimCode(code)}>
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
      const found = failureOf(error);
      setSentence(found);
      setFailure(found);
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
