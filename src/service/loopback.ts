import { BlockList, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine can reach an address or host name. An unknown name counts as reachable by others. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
