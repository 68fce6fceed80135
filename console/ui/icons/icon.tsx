import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
}

/** Drawn on a 24 grid with round strokes of 1.75; always decorative, as the text beside them carries the meaning. */
export function icon(shape: ReactNode) {
  return function Icon({ size = 16 }: IconProps) {
    return (
      <svg
        aria-hidden="true"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {shape}
      </svg>
    );
  };
}

export const line = (d: string) => icon(<path d={d} />);

// The icons of the first view; the others are loaded with the screens that use them.
export const CloseIcon = line('M6 6l12 12M18 6L6 18');
export const EyeIcon = icon(
  <>
    <path d="M2.5 12c2-4 5.3-6 9.5-6s7.5 2 9.5 6c-2 4-5.3 6-9.5 6s-7.5-2-9.5-6z" />
    <circle cx="12" cy="12" r="2.8" />
  </>,
);
export const EyeOffIcon = line(
  'M4 4l16 16M9.7 6.2A10 10 0 0 1 12 6c4.2 0 7.5 2 9.5 6a14 14 0 0 1-2.3 3.2M6.3 7.7A12 12 0 0 0 2.5 12c2 4 5.3 6 9.5 6 1.5 0 2.9-.3 4.1-.8M10 10a2.8 2.8 0 0 0 4 4',
);
export const WarningIcon = line('M12 4L2.5 20h19L12 4zM12 10v4.5M12 17.5h.01');
