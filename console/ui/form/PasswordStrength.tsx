import { passwordMin } from '#rules/passwords/passwordLength.ts';
import { passwordLevel, passwordStrength } from '#rules/passwords/passwordStrength.ts';
import css from './PasswordStrength.module.css';

const words = { none: 'Easy to guess', low: 'Easy to guess', medium: 'Fair', high: 'Hard to guess' } as const;

/** The password strength meter. It only advises; the server decides what is rejected. */
export function PasswordStrength({ password }: { password: string }) {
  const score = passwordStrength(password);
  const level = passwordLevel(score);
  const isShort = [...password.normalize('NFKC')].length < passwordMin;
  return (
    <div className={css.strength} data-level={level}>
      <meter
        className="visuallyHidden"
        aria-label="Password strength"
        min={0}
        max={50}
        low={20}
        high={35}
        optimum={50}
        value={Math.min(Math.max(score, 0), 50)}
      />
      <span className={css.bars} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span aria-live="polite">{isShort ? `At least ${passwordMin} characters` : words[level]}</span>
    </div>
  );
}
