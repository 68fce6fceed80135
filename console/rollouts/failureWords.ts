import { percentText } from './rolloutWords.ts';

const says: Record<string, string> = {
  network: 'the connection failed, tried again by itself',
  timeout: 'took too long, tried again by itself',
  server_busy: 'the platform was busy, tried again by itself',
  url_expired: 'the link had expired, tried again by itself',
  interrupted: 'was interrupted, tried again by itself',
  no_space: 'too little space, tried again every 6 h',
  low_battery: 'too little battery, tried again every 6 h',
  no_memory: 'too little memory, tried again every 6 h',
  busy: 'was busy, tried again every 6 h',
  hash_mismatch: 'the file did not arrive whole, tried three times',
  signature_invalid: 'the signature did not match, tried three times',
  manifest_invalid: 'the target could not be read, tried three times',
  wrong_class: 'the file is for another class',
  downgrade_refused: 'the device does not go back to an older version',
  dependency: 'something it needs is missing',
  install_failed: 'the installation failed',
  boot_failed: 'did not come up, went back to what it ran',
  self_test_failed: 'failed its self-test, went back to what it ran',
  rolled_back: 'the boot loader went back to what it ran',
  lost: 'not heard of in time after rebooting',
  declined: 'declined by choice',
  postponed: 'postponed by choice',
};

/** What a code of a failed update means, in a few words; a code of a developer's own is final. */
export function failureText(code: string): string {
  return says[code] ?? 'not tried again by itself';
}

/** Which share of the results a figure of failures is, as a sentence for the failure gate. */
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
  const found = `${failures.toLocaleString('en')} of ${results.toLocaleString('en')} results ${isOne ? 'is a failure' : 'are failures'}`;
  if (results === 0) return `No results yet. The gate decides from ${resultsMin} results on.`;
  if (results < resultsMin) return `${found}. The gate decides from ${resultsMin} results on.`;
  return `${found}: ${percentText(seen)}. Even if we were lucky or unlucky so far, the true share is very likely between ${percentText(lower)} and ${percentText(upper)}. The rollout pauses by itself when the lower figure passes ${percentText(threshold)}; at this number of results that takes ${pausesAt.toLocaleString('en')} ${pausesAt === 1 ? 'failure' : 'failures'}.`;
}
