import { type ReactNode, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { Segments } from '#console/ui/screen/Segments.tsx';
import { Bar } from '../shared/Bar.tsx';
import frameCss from '../shared/frame.module.css';
import { useHashView } from '../shared/useHashView.ts';
import { ConnectionHead } from './ConnectionHead.tsx';
import { Guide } from './Guide.tsx';
import { ClaimPanel } from './panels/ClaimPanel.tsx';
import { CommandsPanel } from './panels/CommandsPanel.tsx';
import { ConfigPanel } from './panels/ConfigPanel.tsx';
import { EventsPanel } from './panels/EventsPanel.tsx';
import { FirmwarePanel } from './panels/FirmwarePanel.tsx';
import { LogPanel } from './panels/LogPanel.tsx';
import { PartsPanel } from './panels/PartsPanel.tsx';
import { RejectedNotice } from './panels/RejectedNotice.tsx';
import { RequestsPanel } from './panels/RequestsPanel.tsx';
import { StatePanel } from './panels/StatePanel.tsx';
import { WirePanel } from './panels/WirePanel.tsx';
import type { Simulation } from './simulation.ts';

/** The views. `wire` is for narrow windows; wide ones always show it. */
const views = ['controls', 'firmware', 'log', 'about', 'wire'] as const;
type View = (typeof views)[number];

/** True: embedded in the app simulator, which provides the theme and the guide. */
const isFramed = window.parent !== window;

/** The whole window: the device on the left, its traffic on the right. */
export function Simulator({ simulation, onEnd }: { simulation: Simulation; onEnd: () => void }) {
  const [view, setView] = useHashView(views);
  const [guided, setGuided] = useState(simulation.credentials.onboard && !isFramed);
  const open = useStore(simulation.commands.all).filter(({ stage }) => stage === 'open').length;
  const labels: Record<View, string> = {
    controls: open > 0 ? `Controls (${open} open)` : 'Controls',
    firmware: 'Firmware',
    log: 'Log',
    about: 'Setup',
    wire: 'Traffic',
  };
  return (
    <div className={frameCss.page}>
      {!isFramed && <Bar end="Another device" onEnd={onEnd} />}
      <main className={frameCss.main}>
        <ConnectionHead simulation={simulation} />
        {guided && <Guide simulation={simulation} onDone={() => setGuided(false)} />}
        <div className={frameCss.views}>
          <Segments
            label="Panels"
            options={views.map(value => ({ value, label: labels[value] }))}
            chosen={view}
            onChange={setView}
          />
        </div>
        <RejectedNotice simulation={simulation} />
        <div className={frameCss.columns} data-view={view}>
          <div className={frameCss.panels}>{panels(simulation)[view === 'wire' ? 'controls' : view]}</div>
          <div className={frameCss.wire}>
            <WirePanel simulation={simulation} />
          </div>
        </div>
      </main>
    </div>
  );
}

function panels(simulation: Simulation): Record<Exclude<View, 'wire'>, ReactNode> {
  return {
    controls: (
      <>
        <StatePanel simulation={simulation} />
        <EventsPanel simulation={simulation} />
        <CommandsPanel simulation={simulation} />
      </>
    ),
    firmware: <FirmwarePanel simulation={simulation} />,
    log: (
      <>
        <RequestsPanel simulation={simulation} />
        <LogPanel simulation={simulation} />
      </>
    ),
    about: (
      <>
        <ConfigPanel simulation={simulation} />
        <PartsPanel simulation={simulation} />
        <ClaimPanel simulation={simulation} />
      </>
    ),
  };
}
