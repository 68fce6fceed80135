import { BlockList, isIP } from 'node:net';

type Network = readonly [address: string, bits: number];

/** IPv4 that does not lead to a host of the public Internet (IANA special-purpose registry). */
const closed4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Looks public, but inside Azure it is the host's own service.
  ['168.63.129.16', 32],
];

/** All that is ever given to public hosts. What wraps an IPv4 address (::ffff:0:0/96, 64:ff9b::/96) lies outside it. */
const open6: Network = ['2000::', 3];

/** Inside of that: protocol assignments with Teredo and benchmarking, documentation, 6to4. */
const closed6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = listOf([...closed4, ...closed6]);
const open = listOf([open6]);

/** Whether everybody could reach a host at this address, so that reaching it through us gains nobody anything. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** What the operator opens in spite of that. */
export interface PrivateTargets {
  hasName(host: string): boolean;
  hasAddress(address: string): boolean;
}

/** Host names, addresses and networks, as `ALLOW_PRIVATE_TARGETS` has them. */
export function privateTargets(entries: readonly string[]): PrivateTargets {
  const isAddress = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  const names = new Set(entries.filter(entry => !isAddress(entry)));
  return {
    hasName: host => names.has(host.replace(/\.$/, '')),
    hasAddress: amongNetworks(entries.filter(isAddress)),
  };
}

/** Tells whether an address is among these addresses and networks (CIDR). */
export function amongNetworks(entries: readonly string[]): (address: string) => boolean {
  const networks = entries.map((entry): Network => {
    const [address = '', bits] = entry.split('/');
    return [address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits)];
  });
  // Apart, since a list takes ::ffff:10.0.0.1 for 10.0.0.1: what is not listed so is not meant so.
  const list4 = listOf(networks.filter(([address]) => isIP(address) === 4));
  const list6 = listOf(networks.filter(([address]) => isIP(address) === 6));
  return address => (isIP(address) === 6 ? list6.check(address, 'ipv6') : list4.check(address, 'ipv4'));
}

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of networks)
    list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}
