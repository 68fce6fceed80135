import { useStore } from '#console/store.ts';
import { Button } from '#console/ui/Button.tsx';
import { CheckIcon } from '#console/ui/icons.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import frameCss from './frame.module.css';
import type { Simulation } from './simulation.ts';

/** Three steps for whoever sees a device here for the first time. They are ticked off by doing them. */
export function Guide({ simulation, onDone }: { simulation: Simulation; onDone: () => void }) {
  const isConnected = useStore(simulation.status).state === 'connected';
  const hasSent = useStore(simulation.events.all).some(({ outcome }) => outcome === 'kept');
  const hasAnswered = useStore(simulation.commands.all).some(({ kept }) => kept);
  const steps = [
    [
      isConnected,
      'This window is a device',
      'It connects as your hardware would, and the console shows it as connected.',
    ],
    [hasSent, 'Send an event', 'Below, click “Send event”. The event appears in the console under Activity.'],
    [hasAnswered, 'Send it a command', 'In the console, click “Send command”. This device answers it.'],
  ] as const;
  return (
    <Panel
      title="How it works"
      action={
        <Button variant="quiet" onClick={onDone}>
          {steps.every(([done]) => done) ? 'Done' : 'Hide'}
        </Button>
      }
    >
      <ol className={frameCss.steps}>
        {steps.map(([done, title, text], at) => (
          <li key={title} data-done={done || undefined}>
            <span className={frameCss.step}>{done ? <CheckIcon size={14} /> : at + 1}</span>
            <div>
              <b>{title}</b>
              {done && <span className="visuallyHidden"> Done.</span>}
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
