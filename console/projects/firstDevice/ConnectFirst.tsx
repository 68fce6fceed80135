import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Connect } from '#console/devices/connect/Connect.tsx';
import { useDeviceSimulator } from '#console/guide/simulators/useDeviceSimulator.ts';
import { Button, buttonClass } from '#console/ui/Button.tsx';
import { CodeIcon, DeviceIcon, WindowIcon } from '#console/ui/icons/icons.tsx';
import { FormError } from '#console/ui/state/FormError.tsx';
import { CallFailed } from '#contract/client.ts';
import type { Project } from '#contract/project.ts';
import css from './firstDevice.module.css';
import { Outlines } from './Outlines.tsx';
import { type FirstDevice, useFirstDevice } from './useFirstDevice.ts';

/** The overview of a project whose devices have never been connected: the ways to begin, and what will be here. */
export function ConnectFirst({ project }: { project: Project }) {
  const device = useFirstDevice(project.id);
  const params = { projectId: project.id };
  return (
    <>
      <section className={css.start} aria-label="Connect your first device">
        <header className={css.lead}>
          <h2>Connect your first device</h2>
          <p>Three ways, each about a minute. This page fills as soon as the first message arrives.</p>
        </header>
        <ul className={css.ways}>
          <Simulate project={project} device={device} />
          <Paste device={device} projectId={project.id} />
          <Way
            icon={<DeviceIcon />}
            title="Use hardware you have"
            says="If it speaks MQTT or HTTP, it can come in: add it, and type its address, id and key into its settings."
          >
            <ol className={css.steps}>
              <li>Create a class for this kind of device.</li>
              <li>Add the device, and copy its id and key.</li>
              <li>
                Publish its values to the topic <code>state</code>.
              </li>
            </ol>
            <div className={css.act}>
              <Link to="/projects/$projectId/device_classes" params={params} className={buttonClass('plain')}>
                Add your device
              </Link>
              <a href="/docs/devices">Device protocol</a>
            </div>
          </Way>
        </ul>
      </section>
      <Outlines />
      <p className={css.others}>
        <span>Already have a fleet?</span>
        <Link to="/projects/$projectId/device_classes" params={params}>
          Create its class and import a CSV
        </Link>
        <span className={css.end}>Only looking?</span>
        <Link to="/projects">Explore the sample project</Link>
      </p>
    </>
  );
}

function Simulate({ project, device }: { project: Project; device: FirstDevice }) {
  const { open, opening, error } = useDeviceSimulator(project);
  return (
    <Way
      icon={<WindowIcon />}
      title="Simulate one"
      says="In a window of its own. It talks to the platform like real hardware: turn its dial and watch."
    >
      <Dial />
      <FormError error={device.error ?? error} />
      <div className={css.act}>
        <Button
          variant="primary"
          icon={<WindowIcon />}
          busy={opening}
          disabled={!device.isKnown}
          onClick={() => void open(device.ensure)}
        >
          Simulate a device
        </Button>
        <span>Nothing to install</span>
      </div>
    </Way>
  );
}

function Paste({ device, projectId }: { device: FirstDevice; projectId: string }) {
  const { id, apiKey, ensure, busy, isKnown, name } = device;
  return (
    <Way
      icon={<CodeIcon />}
      title="Paste a few lines"
      says="From any terminal, with mosquitto, curl, Python, TypeScript or C."
    >
      {id !== undefined && apiKey !== undefined ? (
        <Connect deviceId={id} apiKey={apiKey} />
      ) : id === undefined ? (
        <div className={css.act}>
          <Button busy={busy} disabled={!isKnown} onClick={() => void ensure().catch(ignoreShown)}>
            Fill in a device and its key
          </Button>
        </div>
      ) : (
        <div className={css.act}>
          <Link
            to="/projects/$projectId/devices/$deviceId"
            params={{ projectId, deviceId: id }}
            className={buttonClass('plain')}
          >
            See the lines of {name}
          </Link>
        </div>
      )}
    </Way>
  );
}

/** The other way beside it shows the failure. */
function ignoreShown(error: unknown): void {
  if (!(error instanceof CallFailed)) throw error;
}

function Way(props: { icon: ReactNode; title: string; says: string; children: ReactNode }) {
  return (
    <li className={css.way}>
      <h3>
        <span className={css.icon}>{props.icon}</span>
        {props.title}
      </h3>
      <p>{props.says}</p>
      {props.children}
    </li>
  );
}

/** A picture of what the simulator looks like; its values are those of the picture. */
function Dial() {
  return (
    <svg
      className={css.dial}
      viewBox="0 0 240 96"
      role="img"
      aria-label="A thermostat that reports its values"
    >
      <rect x="28" y="8" width="80" height="80" rx="16" />
      <circle cx="68" cy="48" r="28" />
      <path d="M48.2 67.8A28 28 0 1 1 92.2 34" />
      <text x="68" y="53" textAnchor="middle">
        21.5
      </text>
      <path className={css.flow} d="M116 48h22" />
      {['target', 'valve', 'press'].map((word, at) => (
        <g key={word}>
          <rect x="146" y={14 + at * 24} width="72" height="18" rx="4" />
          <text x="154" y={27 + at * 24} className={css.word}>
            {word}
          </text>
        </g>
      ))}
    </svg>
  );
}
