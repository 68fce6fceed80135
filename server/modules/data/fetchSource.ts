import { hash } from 'node:crypto';
import type { FetchConfig } from './fetchConfig.ts';

type Place = Pick<FetchConfig, 'url' | 'part'>;

/** Identifies the source of fetched data: the ETag and time of one source do not apply to another. */
export const sourceOf = ({
  authorization = '',
  ...place
}: Place & Pick<FetchConfig, 'authorization'>): string => `${placeOf(place)} ${digestOf([authorization])}`;

/** Whether data with this source was fetched from there, with whatever authorization. */
export const isFrom = (source: string, place: Place): boolean => source.startsWith(`${placeOf(place)} `);

const placeOf = ({ url, part }: Place) => digestOf([url, part]);
const digestOf = (parts: readonly string[]) => hash('sha256', JSON.stringify(parts), 'base64url');
