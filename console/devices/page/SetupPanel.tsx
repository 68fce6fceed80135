import { type ReactNode, useState } from 'react';
import { useRead } from '#console/core/api.ts';
import { Connect } from '#console/devices/connect/Connect.tsx';
import css from '#console/devices/devices.module.css';
import { isUnheard } from '#console/devices/deviceWords.ts';
import { Panel } from '#console/ui/screen/Panel.tsx';
import type { Device } from '#contract/device.ts';
import { type ConfigPair, listDeviceConfig, listDeviceEntities } from '#contract/deviceState.ts';
import { ConfigPanel } from './ConfigPanel.tsx';
import { EntitiesPanel } from './EntitiesPanel.tsx';
import page from './page.module.css';

interface SetupPanelProps {
  device: Device;
  /** Set once the key has been requested. */
  apiKey: string | undefined;
}

/** How a device connects and what it reads: needed only once, so it is folded from the device's first message on. */
export function SetupPanel({ device, apiKey }: SetupPanelProps) {
  const { data: config } = useRead(listDeviceConfig, { params: { deviceId: device.id } });
  const { data: entities } = useRead(listDeviceEntities, { params: { deviceId: device.id } });
  return (
    <Panel title="Setup" note="how it connects and what it reads" flush>
      <Part
        title="Connect"
        note={
          isUnheard(device)
            ? 'not connected yet'
            : 'mosquitto, curl, TypeScript, Python and C, filled in for this device'
        }
        isOpen={isUnheard(device)}
        padded
      >
        <Connect deviceId={device.id} apiKey={apiKey} />
      </Part>
      <Part title="Config" note={config && configNote(config)}>
        <ConfigPanel device={device} />
      </Part>
      <Part
        title="Entities"
        note={entities && (entities.map(({ name }) => name).join(', ') || 'none reported')}
      >
        <EntitiesPanel deviceId={device.id} />
      </Part>
    </Panel>
  );
}

function configNote(pairs: readonly ConfigPair[]): string {
  if (pairs.length === 0) return 'no key-value pairs';
  const own = pairs.filter(({ from }) => from === 'device').length;
  const count = pairs.length === 1 ? '1 pair' : `${pairs.length} pairs`;
  return `${count}: ${pairs.length - own} of the class, ${own} of its own`;
}

interface PartProps {
  title: string;
  note: ReactNode;
  isOpen?: boolean;
  padded?: boolean;
  children: ReactNode;
}

function Part({ title, note, isOpen = false, padded = false, children }: PartProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details className={page.setup} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <b>{title}</b>
        <span className={css.note}>{note}</span>
      </summary>
      {open && (
        <section className={page.setupBody} aria-label={title} data-padded={padded || undefined}>
          {children}
        </section>
      )}
    </details>
  );
}
