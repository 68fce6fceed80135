import { numberText } from '#rules/text/numberText.ts';
import { percentText } from './rolloutWords.ts';

const says: Record<string, string> = {
  network: 'the connection failed, retried automatically',
  timeout: 'took too long, retried automatically',
  server_busy: 'the platform was busy, retried automatically',
  url_expired: 'the target or its link had expired, retried automatically',
  interrupted: 'was interrupted, retried automatically',
  no_space: 'too little space, retried every 6 h',
  low_battery: 'too little battery, retried every 6 h',
  no_memory: 'too little memory, retried every 6 h',
  busy: 'was busy, retried every 6 h',
  hash_mismatch: 'the file did not match its checksum, tried three times',
  signature_invalid: 'the signature did not match, tried three times',
  manifest_invalid: 'the target could not be read, tried three times',
  wrong_class: 'the file is for another class',
  downgrade_refused: 'the device does not go back to an older version',
  dependency: 'something it needs is missing',
  install_failed: 'the installation failed',
  boot_failed: 'did not start, went back to the previous version',
  self_test_failed: 'failed its self-test, went back to the previous version',
  rolled_back: 'the boot loader went back to the previous version',
  lost: 'not heard from in time after rebooting',
  declined: 'declined by choice',
  postponed: 'postponed by choice',
};

/** The meaning of an update's failure code in a few words; a code that the developer defined is final. */
export function failureText(code: string): string {
  return says[code] ?? 'not retried automatically';
}

/** The share of failures among the results, as a sentence for the failure gate. */
export function gateSentence(
  {
    results,
    failures,
    seen,
    lower,
    upper,
    threshold,
    pausesAt,
  }: Record<'results' | 'failures' | 'seen' | 'lower' | 'upper' | 'threshold' | 'pausesAt', number>,
  resultsMin: number,
): string {
  const isOne = failures === 1;
  const found = `${numberText(failures)} of ${numberText(results)} results ${isOne ? 'is a failure' : 'are failures'}`;
  if (results === 0)
    return `Too early to tell: no results yet. The gate decides from ${resultsMin} results on.`;
  if (results < resultsMin)
    return `Too early to tell: ${found}. The gate decides from ${resultsMin} results on.`;
  return `${found}: ${percentText(seen)}. Even if we were lucky or unlucky so far, the true share is very likely between ${percentText(lower)} and ${percentText(upper)}. The rollout pauses automatically when the lower figure exceeds ${percentText(threshold)}; at this number of results that takes ${numberText(pausesAt)} ${pausesAt === 1 ? 'failure' : 'failures'}.`;
}
