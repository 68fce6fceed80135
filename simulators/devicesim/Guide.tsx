import { useStore } from '#console/core/store.ts';
import { GuidePanel } from '../shared/GuidePanel.tsx';
import type { Simulation } from './simulation.ts';

/** Three steps for new users. */
export function Guide({ simulation, onDone }: { simulation: Simulation; onDone: () => void }) {
  const isConnected = useStore(simulation.status).state === 'connected';
  const hasSent = useStore(simulation.events.all).some(({ outcome }) => outcome === 'kept');
  const hasAnswered = useStore(simulation.commands.all).some(({ kept }) => kept);
  return (
    <GuidePanel
      steps={[
        {
          done: isConnected,
          title: 'This window is a device',
          text: 'It connects as your hardware would, and the console shows it as connected.',
        },
        {
          done: hasSent,
          title: 'Send an event',
          text: 'Below, click “Send event”. The event appears in the console under Activity.',
        },
        {
          done: hasAnswered,
          title: 'Send it a command',
          text: 'In the console, click “Send command”. This device answers it.',
        },
      ]}
      onHide={onDone}
    />
  );
}
