import { useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { CallFailed } from '#contract/client.ts';
import type { AppSimulation } from '../simulation.ts';
import { useHome } from '../useHome.ts';
import { ClaimForm } from './ClaimForm.tsx';
import { type Made, MadeDevice } from './MadeDevice.tsx';
import { ProvisionForm } from './ProvisionForm.tsx';
import css from './panels.module.css';

/** Adds a device to the home: with its claim code, or created on demand if the project allows it. */
export function AddDevicePanel({ simulation }: { simulation: AppSimulation }) {
  const config = useStore(simulation.config);
  const home = useHome(simulation);
  const homes = useStore(simulation.homes);
  const [way, setWay] = useState<'code' | 'demand'>('code');
  // Kept until it is done with, also while another home is opened: the key is not shown again.
  const [made, setMade] = useState<Made>();
  const mayProvision =
    config && !(config instanceof CallFailed) ? config.onDemandProvisioning : simulation.address.onDemand;
  const mayAdd = home?.about.rights.includes('configure') ?? false;
  return (
    <Panel title="Add a device">
      {made ? (
        <MadeDevice made={made} onDone={() => setMade(undefined)} />
      ) : !home || !mayAdd ? (
        <p className={css.quiet}>
          {home ? `As ${home.about.role}, you cannot add devices to this home.` : whyNoHome(homes)}
        </p>
      ) : (
        <div className={css.form}>
          {mayProvision && (
            <Segments
              label="How the device is added"
              options={[
                { value: 'code', label: 'Claim by code' },
                { value: 'demand', label: 'On demand' },
              ]}
              chosen={way}
              onChange={setWay}
            />
          )}
          {way === 'demand' && mayProvision ? (
            <ProvisionForm home={home} onMade={setMade} />
          ) : (
            <ClaimForm simulation={simulation} home={home} />
          )}
        </div>
      )}
    </Panel>
  );
}

function whyNoHome(homes: readonly unknown[] | undefined): string {
  return homes?.length === 0 ? 'Create a home first.' : 'Once a home is open on the phone.';
}
