import { useStore } from '#console/core/store.ts';
import { GuidePanel } from '../shared/GuidePanel.tsx';
import type { AppSimulation } from './simulation.ts';
import { isOver } from './trace/hops.ts';
import { useHome } from './useHome.ts';

/** Guides new users from signing up to switching a lamp. */
export function Guide({ simulation, onHide }: { simulation: AppSimulation; onHide: () => void }) {
  const user = useStore(simulation.user);
  const homes = useStore(simulation.homes);
  const traced = useStore(simulation.trace.latest);
  const home = useHome(simulation);
  const hasCode = simulation.address.device?.claimCode !== undefined;
  return (
    <GuidePanel
      steps={[
        {
          done: Boolean(user),
          title: 'Become a user of the app',
          text: 'On the phone, create an account. The verification e-mail is in the outbox.',
        },
        {
          done: (homes?.length ?? 0) > 0,
          title: 'Create a home',
          text: 'Devices belong to homes, and so do the people who use them.',
        },
        {
          done: (home?.devices.length ?? 0) > 0,
          title: 'Claim a device',
          text: hasCode
            ? 'Under “Add a device”, the code of the device next to the phone is already filled in.'
            : 'Under “Add a device”, enter the claim code. It is on the device’s page in the console.',
        },
        {
          done: traced !== undefined && !traced.refusal && isOver(traced),
          title: 'Switch it',
          text: 'Use a switch on the phone, and follow the tap to the device and back under “From tap to motor”.',
        },
      ]}
      onHide={onHide}
    />
  );
}
