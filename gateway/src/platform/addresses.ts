import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether an address is in a set of addresses and CIDR ranges. */
export type AddressSet = (address: string) => boolean

const KNOWN_ADDRESSES_MAX = 1_000

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** An address (`10.0.0.1`, `::1`) or a CIDR range (`10.0.0.0/8`). */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128)
}

export function addressSet(ranges: readonly string[]): AddressSet {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    if (prefix === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(prefix), family(address))
  }
  // The same few addresses call all the time.
  const known = new Map<string, boolean>()
  return (address) => {
    const answer = known.get(address) ?? (isIP(address) !== 0 && list.check(address, family(address)))
    if (known.size >= KNOWN_ADDRESSES_MAX) known.clear()
    known.set(address, answer)
    return answer
  }
}

/** Addresses that are not of the public internet: a receiver there could be inside the operator's own network. */
export const isPrivateAddress = addressSet([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])
