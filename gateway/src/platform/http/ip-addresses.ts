import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether an address is in a set of addresses and CIDR ranges. */
export type AddressSet = (address: string) => boolean

const KNOWN_ADDRESSES_MAX = 1_000

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Whether a text is an address (`10.0.0.1`, `::1`) or a CIDR range (`10.0.0.0/8`). */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128)
}

/**
 * Whether a range is larger than any merchant's or provider's network, so that allowing it would allow nearly everyone.
 */
export function isWideRange(range: string): boolean {
  const [address = '', prefix] = range.split('/')
  if (prefix === undefined) return false
  if (isIPv4(address)) return Number(prefix) < WIDEST_PREFIX.ipv4
  const isMapped = groupsOf(address).slice(0, 6).join(':') === MAPPED
  return isMapped && Number(prefix) >= 96
    ? Number(prefix) - 96 < WIDEST_PREFIX.ipv4
    : Number(prefix) < WIDEST_PREFIX.ipv6
}

const WIDEST_PREFIX = { ipv4: 8, ipv6: 32 }
/** The prefix of an IPv4-mapped IPv6 address. */
const MAPPED = '0:0:0:0:0:ffff'

/**
 * Returns the network of an address, by which callers are counted: an IPv4 address itself, or the first 64 bits of an
 * IPv6 address. An internet provider usually gives all addresses with the same 64 bits to one customer.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length)
  const groups = groupsOf(address)
  if (groups.slice(0, 6).join(':') !== MAPPED) return `${groups.slice(0, 4).join(':')}::/64`
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.')
}

/** Splits an IPv6 address into its eight groups, in lower case and without leading zeros. */
function groupsOf(address: string): readonly string[] {
  // An address may end in IPv4 notation, whose four numbers make up two groups.
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [before = '', after] = hex.replace(/%.*$/, '').split('::')
  const groups = (part: string | undefined): string[] => (part === undefined || part === '' ? [] : part.split(':'))
  const [first, last] = [groups(before), groups(after)]
  const zeros = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0')
  return [...first, ...zeros, ...last].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}

const GROUPS = 8

export function addressSet(ranges: readonly string[]): AddressSet {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    if (prefix === undefined) list.addAddress(address, family(address))
    else list.addSubnet(address, Number(prefix), family(address))
  }
  // The same few addresses call all the time, so results are cached.
  const known = new Map<string, boolean>()
  return (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    const result = isIP(address) !== 0 && list.check(address, family(address))
    if (known.size >= KNOWN_ADDRESSES_MAX) known.clear()
    known.set(address, result)
    return result
  }
}

/** Whether an address is local to this machine. */
export const isLoopback: AddressSet = addressSet(['127.0.0.0/8', '::1'])

/** Whether an address is outside the public internet. A webhook URL there could reach the operator's own network. */
export const isPrivateAddress = addressSet([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16', // public, but Azure uses it for services of the host machine
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
  '::ffff:0:0:0/96', // IPv4-translated addresses, an obsolete form
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
