import { burstS } from '#contract/deviceWire.ts';
import type { Admission } from './admission.ts';
import type { Rate } from './tokenBucket.ts';

/** What a device may send, over all its connections and by calls. */
export const messageRate = ({ messageRate: perS }: Pick<Admission, 'messageRate'>): Rate => ({
  perS,
  burst: perS * burstS,
});
