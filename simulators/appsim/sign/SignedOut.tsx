import { type ReactNode, useState } from 'react';
import { useStore } from '#console/core/store.ts';
import { FormError } from '#console/ui/state/FormError.tsx';
import { PhoneBody } from '../phone/PhonePage.tsx';
import css from '../phone/phone.module.css';
import type { AppSimulation, Config } from '../simulation.ts';
import { ExpiredForm } from './ExpiredForm.tsx';
import { ExternalForm } from './ExternalForm.tsx';
import { ForgotForm } from './ForgotForm.tsx';
import { linked } from './linked.tsx';
import { RegisterForm } from './RegisterForm.tsx';
import { SignInForm } from './SignInForm.tsx';
import signCss from './sign.module.css';
import { VerifyForm } from './VerifyForm.tsx';

export type Step = 'signIn' | 'register' | 'verify' | 'forgot' | 'expired';

/** Input that one step passes on to the next; kept only in memory. */
export interface Typed {
  email: string;
  password: string;
}

export interface StepProps {
  simulation: AppSimulation;
  config: Config;
  typed: Typed;
  go: (step: Step, typed?: Typed) => void;
}

const endWords: Record<string, string> = {
  SESSION_EXPIRED: 'Your session has ended. Sign in again.',
  TOKEN_REUSED: 'Your session was ended because its token was used twice. Sign in again.',
  USER_SUSPENDED: 'This user is suspended.',
};

/** The sign-in screens, as the app's config defines them. */
export function SignedOut({ simulation, config }: Pick<StepProps, 'simulation' | 'config'>) {
  const [step, setStep] = useState<Step>('signIn');
  const [typed, setTyped] = useState<Typed>({ email: simulation.address.email ?? '', password: '' });
  const ended = useStore(simulation.ended);
  const failure = useStore(simulation.failure);
  const props: StepProps = {
    simulation,
    config,
    typed,
    go(next, given) {
      if (given) setTyped(given);
      setStep(next);
    },
  };
  // By characters: half of an emoji would be shown as an error sign.
  const [letter = ''] = config.project.name;
  return (
    <PhoneBody>
      <header className={signCss.head}>
        <span className={signCss.mark} aria-hidden="true">
          {letter.toUpperCase()}
        </span>
        <h2 dir="auto">{config.project.name}</h2>
        {step === 'signIn' && config.userAuthMessage && (
          <p className={signCss.message} dir="auto">
            {linked(config.userAuthMessage)}
          </p>
        )}
      </header>
      {ended && (
        <p className={signCss.notice} role="status">
          {endWords[ended] ?? 'Your session has ended.'} <code>{ended}</code>
        </p>
      )}
      <FormError error={failure} />
      <div key={step} className={css.form}>
        {stepOf(step, props)}
      </div>
    </PhoneBody>
  );
}

function stepOf(step: Step, props: StepProps): ReactNode {
  if (props.config.userAccountMode === 'external') return <ExternalForm simulation={props.simulation} />;
  switch (step) {
    case 'register':
      return <RegisterForm {...props} />;
    case 'verify':
      return <VerifyForm {...props} />;
    case 'forgot':
      return <ForgotForm {...props} />;
    case 'expired':
      return <ExpiredForm {...props} />;
    default:
      return <SignInForm {...props} />;
  }
}
