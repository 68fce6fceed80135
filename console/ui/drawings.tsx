import type { ReactNode } from 'react';
import css from './drawings.module.css';

interface DrawingProps {
  size?: number;
}

/** On a 96 grid in the stroke of the mark; decorative, as the text beside it carries the meaning. */
function drawing(shape: ReactNode) {
  return function Drawing({ size = 96 }: DrawingProps) {
    return (
      <svg
        className={css.drawing}
        aria-hidden="true"
        width={size}
        height={size}
        viewBox="0 0 96 96"
        strokeWidth={size < 48 ? 4 : 2.5}
      >
        {shape}
      </svg>
    );
  };
}

/** Nothing is wrong, or nothing is there. */
export const Buoy = drawing(
  <>
    <circle cx="48" cy="19" r="6" />
    <path d="M43 27h10l12 36M43 27L31 63M35 51h26M25 63h46l-5 9H30z" />
    <path className={css.water} d="M10 82c5-5 10-5 15 0s10 5 15 0 10-5 15 0 10 5 15 0 10-5 16-1" />
  </>,
);

/** A place to moor: the first item of a kind. */
export const Bollard = drawing(
  <>
    <rect x="24" y="18" width="48" height="12" rx="6" />
    <path d="M36 30v14M60 30v14M36 60v12M60 60v12M28 72h40" />
    <path d="M6 55l22-6c7-2 14-4 22-4 12 0 18 3 18 8s-8 8-20 8-19-3-20-7" />
    <path className={css.water} d="M14 84c5-5 10-5 15 0s10 5 15 0 10-5 15 0 10 5 15 0 6-4 8-3" />
  </>,
);

/** A search without results. */
export const Lighthouse = drawing(
  <>
    <path d="M48 8v6M39 22a9 9 0 0 1 18 0M37 22h22M40 22v10h16V22M36 32h24M39 32l-6 42M57 32l6 42M37 46h22M35 60h26M44 74v-8a4 4 0 0 1 8 0v8" />
    <path d="M16 80c8-5 20-6 32-6s24 1 32 6" />
    <path className={css.water} d="M62 20l20-6M63 27h21M34 20l-20-6M33 27H12" strokeDasharray="3 6" />
  </>,
);

/** Things that belong together. */
export const Rope = drawing(
  <>
    <ellipse cx="48" cy="52" rx="30" ry="20" />
    <ellipse cx="48" cy="47" rx="22" ry="13" />
    <ellipse cx="48" cy="43" rx="14" ry="7" />
    <path d="M78 52c0 16 8 20 14 18M18 52c0 8 2 14 6 18M34 39l-3 4M62 39l3 4M30 60l-4 5M66 60l4 5M48 60v6" />
  </>,
);

/** A place that is on no map. */
export const Chart = drawing(
  <>
    <path d="M12 22l24-8 24 8 24-8v60l-24 8-24-8-24 8zM36 14v60M60 22v60" />
    <path
      className={css.water}
      d="M18 44c8-8 14 4 24-4s14-6 20 2 10 2 16-4M18 58c8-6 14 6 24 0s16-4 22 2 8 0 14-2"
    />
    <path d="M48 30v12M42 36h12" />
  </>,
);

/** The start page: a lighthouse, a bollard and a buoy moored to it. */
export function Harbour() {
  return (
    <svg className={css.drawing} aria-hidden="true" viewBox="0 0 440 240" strokeWidth="2.5">
      <path d="M190 196c24-19 60-18 100-18 52 0 82 8 98 38" />
      <path d="M272 178l12-112M330 178l-12-112M278 66h46M282 66V38h38v28M284 38a17 17 0 0 1 34 0M301 21v-12M279 112h44M275 146h52M294 178v-16a7 7 0 0 1 14 0v16" />
      <circle cx="301" cy="52" r="5" />
      <path
        className={css.water}
        d="M276 34L168 8M276 42H150M326 34l100-24M326 42h104"
        strokeDasharray="2 8"
      />
      <rect x="138" y="128" width="44" height="12" rx="6" />
      <path d="M148 140v14M172 140v14M148 168v26M172 168v26M140 194h40" />
      <path d="M84 180c10-16 32-22 50-25 24-4 44-2 44 6s-14 9-32 9c-12 0-20-2-22-6" />
      <circle cx="66" cy="130" r="6" />
      <path d="M61 138h10l13 48M61 138l-14 48M55 162h22" />
      <path
        className={css.water}
        d="M6 196c9-8 18-8 27 0s18 8 27 0 18-8 27 0 18 8 27 0M36 214c9-8 18-8 27 0s18 8 27 0 18-8 27 0 18 8 27 0 18-8 27 0M120 230c9-8 18-8 27 0s18 8 27 0 18-8 27 0 18 8 27 0"
      />
    </svg>
  );
}
