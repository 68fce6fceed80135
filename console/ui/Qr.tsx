import { encode } from 'uqr';
import css from './Qr.module.css';

/** A QR code as one path. Load this file lazily, as it includes the encoder. */
export default function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2, ecc: 'M' });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('');
  return (
    <svg role="img" aria-label={label} className={css.qr} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}
