import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAnyDevice } from '#console/guide/onboarding/useAnyDevice.ts';
import { useAnyApp } from '#console/guide/simulators/useAnyApp.ts';
import { useAppSimulator } from '#console/guide/simulators/useAppSimulator.ts';
import { Button } from '#console/ui/Button.tsx';
import { CodeIcon, TeamIcon, WindowIcon } from '#console/ui/icons/icons.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import type { Project } from '#contract/project.ts';
import css from './Welcome.module.css';

/** Three things to try at once, in the sample project. */
export function FirstThings({ sample }: { sample: Project }) {
  const projectId = sample.id;
  const device = useAnyDevice(projectId);
  const app = useAnyApp(projectId);
  const { open, opening, error } = useAppSimulator(sample);
  const params = { projectId };
  return (
    <ul className={css.things}>
      <Thing
        icon={<WindowIcon size={18} />}
        title="Switch a lamp from an app"
        says="App and device side by side, as your users would have them: claim the lamp, switch it, and follow each tap."
      >
        <FormError error={error} />
        <Button
          variant="quiet"
          busy={opening}
          disabled={!device || !app}
          onClick={() => device && app && void open(app.id, device.id)}
        >
          Open app and device
        </Button>
      </Thing>
      <Thing
        icon={<CodeIcon size={18} />}
        title="Connect your own"
        says="Snippets for mosquitto, curl, TypeScript, Python and C, filled in with the device’s id and key."
      >
        {device ? (
          <Link to="/projects/$projectId/devices/$deviceId" params={{ ...params, deviceId: device.id }}>
            See the snippets of a device
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
        says="Add them by e-mail and give each a role. The audit log records what everyone does."
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
