import { isIPv4, isIPv6 } from 'node:net';

/**
 * The unit by which addresses are counted: an IPv6 /64 is assigned as a whole, so its owner could use another
 * of its 2^64 addresses each time.
 */
export function networkOf(address: string): string {
  const mapped = address.slice(address.lastIndexOf(':') + 1);
  if (!isIPv6(address)) return address;
  if (isIPv4(mapped)) return mapped;
  const [head = [], tail = []] = address.split('::').map(part => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
