import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSimulator } from '#console/devices/connect/useSimulator.ts';
import { useAnyDevice } from '#console/onboarding/useAnyDevice.ts';
import { Button } from '#console/ui/Button.tsx';
import { FormError } from '#console/ui/form/FormError.tsx';
import { CodeIcon, TeamIcon, WindowIcon } from '#console/ui/icons.tsx';
import type { Project } from '#contract/project.ts';
import css from './Welcome.module.css';

/** Three things to try at once, in the sample project. */
export function FirstThings({ sample }: { sample: Project }) {
  const projectId = sample.id;
  const device = useAnyDevice(projectId);
  const { open, opening, error } = useSimulator(sample);
  const params = { projectId };
  return (
    <ul className={css.things}>
      <Thing
        icon={<WindowIcon size={18} />}
        title="Watch a device live"
        says="The simulator connects like real hardware. Press its button and see the event arrive."
      >
        <FormError error={error} />
        <Button
          variant="quiet"
          busy={opening}
          disabled={!device}
          onClick={() => device && void open(device.id)}
        >
          Open the device simulator
        </Button>
      </Thing>
      <Thing
        icon={<CodeIcon size={18} />}
        title="Connect your own"
        says="Lines for mosquitto, curl, TypeScript, Python or C, filled in with the device’s id and key."
      >
        {device ? (
          <Link to="/projects/$projectId/devices/$deviceId" params={{ ...params, deviceId: device.id }}>
            See the lines of a device
          </Link>
        ) : (
          <Link to="/projects/$projectId/devices" params={params}>
            Go to the devices
          </Link>
        )}
      </Thing>
      <Thing
        icon={<TeamIcon size={18} />}
        title="Bring the team"
        says="Add them by e-mail. Each gets a role in a project; what anyone does is in the audit log."
      >
        <Link to="/projects/$projectId/team" params={params} hash="new">
          Invite people
        </Link>
      </Thing>
    </ul>
  );
}

function Thing(props: { icon: ReactNode; title: string; says: string; children: ReactNode }) {
  return (
    <li>
      <span className={css.icon}>{props.icon}</span>
      <h3>{props.title}</h3>
      <p>{props.says}</p>
      <div className={css.way}>{props.children}</div>
    </li>
  );
}
