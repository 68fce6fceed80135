import { Html } from './html.ts';

/** The logo of Mooring in the color of the surrounding text: a bollard with a turn of rope. */
export function mark(size: number): Html {
  return new Html(
    `<svg width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.2" ` +
      'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><rect x="5" y="2.4" width="16" height="5" ' +
      'rx="2.5"/><path d="M9.2 7.6v2.2M16.8 7.6v2.2M9.2 16.6v4M16.8 16.6v4M7.4 21h11.2M2 12.9c4.6-.4 5-2.6 11-2.6 ' +
      '3.6 0 5.9 1.3 5.9 3.2s-2.4 3.1-5.9 3.1c-3.3 0-6-.8-6.4-2.4"/></svg>',
  );
}
