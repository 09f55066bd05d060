import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// Networks that no public host can have: of this machine, private, shared, link-local, multicast, reserved.
const subnets: [address: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];
const blocked = new BlockList();
for (const [address, prefix, family] of subnets) blocked.addSubnet(address, prefix, family);

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Whether an IP address belongs to a private network or to this machine. Pure. */
export const isPrivateAddress = (address: string): boolean => {
  const plain = mapped.exec(address)?.[1] ?? address;
  const version = isIP(plain);
  // Text that is not an address counts as private, so that nothing is sent to it.
  return version === 0 || blocked.check(plain, version === 6 ? 'ipv6' : 'ipv4');
};

/** Thrown if a name has no public address. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
  readonly code = 'private_address';
}

/** Resolves a name to its public addresses only. Runs when connecting, so that the name cannot change its address after the check. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0);
    const allowed = found.filter(({ address }) => !isPrivateAddress(address));
    const [first] = allowed;
    if (!first) return callback(new PrivateAddress(`${hostname} has a private address`), '', 0);
    if (options.all) return callback(null, allowed);
    callback(null, first.address, first.family);
  });
};
