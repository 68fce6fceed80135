import { BlockList, isIP } from 'node:net';

type Network = readonly [address: string, bits: number];

/** IPv4 networks that contain no hosts of the public Internet (IANA special-purpose registry). */
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
  // Looks public, but inside Azure it is a service of the host itself.
  ['168.63.129.16', 32],
];

/**
 * The range of all public hosts. Addresses that wrap an IPv4 address (::ffff:0:0/96, 64:ff9b::/96) are outside of it.
 */
const open6: Network = ['2000::', 3];

/** Excluded from that range: protocol assignments with Teredo and benchmarking, documentation, 6to4. */
const closed6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const closed = listOf([...closed4, ...closed6]);
const open = listOf([open6]);

/** Whether anyone could reach a host at this address, so that nobody gains anything by reaching it through us. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  return family === 6 && open.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

/** The private addresses that the operator allows. */
export interface PrivateTargets {
  hasName(host: string): boolean;
  hasAddress(address: string): boolean;
}

/** Parses the host names, addresses and networks of `ALLOW_PRIVATE_TARGETS`. */
export function privateTargets(entries: readonly string[]): PrivateTargets {
  const isAddress = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  const names = new Set(entries.filter(entry => !isAddress(entry)));
  return {
    hasName: host => names.has(host.replace(/\.$/, '')),
    hasAddress: amongNetworks(entries.filter(isAddress)),
  };
}

/** Returns a check whether an address is among these addresses and networks (CIDR). */
export function amongNetworks(entries: readonly string[]): (address: string) => boolean {
  const networks = entries.map((entry): Network => {
    const [address = '', bits] = entry.split('/');
    return [address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits)];
  });
  // Separate lists, because a single one would treat ::ffff:10.0.0.1 as 10.0.0.1, which the operator did not list.
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
