import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import css from './Button.module.css';

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant;
  icon?: ReactNode;
  /** A call is in progress: the width stays, progress is shown, and a second press does nothing. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** While busy, `aria-disabled` instead of `disabled`, so that the focus stays where it is. */
export function Button({ variant = 'plain', icon, busy = false, children, onClick, ...rest }: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant, rest.className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {icon}
      {children}
      {busy && <span className={css.progress} />}
    </button>
  );
}

/** For links that look like buttons. */
export function buttonClass(variant: ButtonVariant = 'plain', more?: string): string {
  return [css.button, css[variant], more].filter(Boolean).join(' ');
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What the button does, for screen readers and on hover. */
  label: string;
  children: ReactNode;
}

export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={[css.icon, className].filter(Boolean).join(' ')}
    >
      {children}
    </button>
  );
}
