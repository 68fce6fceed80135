import { useEffect, useState } from 'react';
import { Toasts } from '#console/ui/dialog/Toast.tsx';
import type { Address } from './address.ts';
import { ChooseApp } from './ChooseApp.tsx';
import { Simulator } from './Simulator.tsx';
import { AppSimulation } from './simulation.ts';

/** The app simulator; without an app in the address, a form that asks for it. */
export function Appsim({ given }: { given: Address | undefined }) {
  const [simulation] = useState(() => given && new AppSimulation(given));
  useEffect(() => {
    void simulation?.start();
    return () => simulation?.end();
  }, [simulation]);
  return (
    <>
      {simulation ? <Simulator simulation={simulation} /> : <ChooseApp />}
      <Toasts />
    </>
  );
}
