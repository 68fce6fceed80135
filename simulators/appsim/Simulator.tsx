import { useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { Bar } from '../shared/Bar.tsx';
import frameCss from '../shared/frame.module.css';
import { useHashView } from '../shared/useHashView.ts';
import { AppHead } from './AppHead.tsx';
import css from './appsim.module.css';
import { Guide } from './Guide.tsx';
import { AddDevicePanel } from './panels/AddDevicePanel.tsx';
import { BackEndPanel } from './panels/BackEndPanel.tsx';
import { SessionPanel } from './panels/SessionPanel.tsx';
import { TracePanel } from './panels/TracePanel.tsx';
import { Phone } from './phone/Phone.tsx';
import type { AppSimulation } from './simulation.ts';
import { TrafficPanel } from './wire/TrafficPanel.tsx';

/** The views of narrow windows. Without a device beside the app, `device` is the same as `wire`. */
const views = ['app', 'tools', 'wire', 'device'] as const;
const labels = { app: 'App', tools: 'Tools', wire: 'Traffic', device: 'Device' } as const;

/** The whole window: the tools for developers on the left, the phone, and the traffic. */
export function Simulator({ simulation }: { simulation: AppSimulation }) {
  const { address } = simulation;
  const [view, setView] = useHashView(views);
  const [guided, setGuided] = useState(address.onboard);
  const shown = views.filter(one => one !== 'device' || address.device);
  return (
    <div className={frameCss.page}>
      <Bar end="Another app" onEnd={() => window.location.assign('/appsim/')} />
      <main className={frameCss.main}>
        <AppHead simulation={simulation} />
        {guided && <Guide simulation={simulation} onHide={() => setGuided(false)} />}
        <div className={css.views}>
          <Segments
            label="Panels"
            options={shown.map(value => ({ value, label: labels[value] }))}
            chosen={view}
            onChange={setView}
          />
        </div>
        <div className={css.columns} data-view={view}>
          <Tools simulation={simulation} />
          <div className={css.phone}>
            <Phone simulation={simulation} />
          </div>
          <Beside simulation={simulation} view={view} />
        </div>
      </main>
    </div>
  );
}

function Tools({ simulation }: { simulation: AppSimulation }) {
  const user = useStore(simulation.user);
  return (
    <div className={css.tools}>
      {user && (
        <>
          <SessionPanel simulation={simulation} user={user} />
          <AddDevicePanel simulation={simulation} />
          <TracePanel simulation={simulation} />
          <BackEndPanel simulation={simulation} user={user} />
        </>
      )}
      {!user && (
        <p className={css.quiet}>Sign in on the phone. What you can do with the session is shown here.</p>
      )}
    </div>
  );
}

/** The device simulator in a frame; it keeps running while the traffic is shown. */
function Beside({ simulation, view }: { simulation: AppSimulation; view: (typeof views)[number] }) {
  const { device } = simulation.address;
  const [chosen, setChosen] = useState<'wire' | 'device'>(device ? 'device' : 'wire');
  return (
    <div className={css.beside} data-chosen={view === 'wire' || view === 'device' ? view : chosen}>
      {device && (
        <div className={css.besideTabs}>
          <Segments
            label="Beside the app"
            options={[
              { value: 'device', label: 'Device' },
              { value: 'wire', label: 'Traffic' },
            ]}
            chosen={chosen}
            onChange={setChosen}
          />
        </div>
      )}
      <div className={css.traffic}>
        <TrafficPanel simulation={simulation} />
      </div>
      {device && <iframe className={css.device} src="/devicesim/" title="Device simulator" />}
    </div>
  );
}
