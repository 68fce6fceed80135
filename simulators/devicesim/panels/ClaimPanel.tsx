import { lazy } from 'react';
import { CopyText } from '#console/ui/CopyText.tsx';
import { LazyPiece } from '#console/ui/lazy/LazyPiece.tsx';
import { Panel } from '#console/ui/screen/Panel.tsx';
import css from '../devicesim.module.css';
import type { Simulation } from '../simulation.ts';

const Qr = lazy(() => import('#console/ui/Qr.tsx'));

/** The label on a device's back: scanning it claims the device for a home. */
export function ClaimPanel({ simulation }: { simulation: Simulation }) {
  const { claimCode } = simulation.credentials;
  if (!claimCode) return null;
  return (
    <Panel title="Claim code" note="scan with the app">
      <div className={css.claim}>
        <LazyPiece waiting={<div className={css.qrPlace} />}>
          <Qr text={claimCode} label={`Claim code ${claimCode} as a QR code`} />
        </LazyPiece>
        <CopyText text={claimCode} label="Copy claim code" />
      </div>
    </Panel>
  );
}
