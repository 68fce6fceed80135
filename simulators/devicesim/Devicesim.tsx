import { useState } from 'react';
import { Toasts } from '#console/ui/dialog/Toast.tsx';
import { type Credentials, forgetCredentials, storeCredentials } from './credentials.ts';
import { SignIn } from './SignIn.tsx';
import { Simulator } from './Simulator.tsx';
import { Simulation } from './simulation.ts';

/** The device simulator; without credentials, a form that asks for them. */
export function Devicesim({ given }: { given: Credentials | undefined }) {
  const [simulation, setSimulation] = useState(() => given && new Simulation(given));

  function begin(credentials: Credentials) {
    storeCredentials(credentials);
    setSimulation(new Simulation(credentials));
  }
  function end() {
    simulation?.end();
    forgetCredentials();
    setSimulation(undefined);
  }
  return (
    <>
      {simulation ? <Simulator simulation={simulation} onEnd={end} /> : <SignIn onBegin={begin} />}
      <Toasts />
    </>
  );
}
