import { isIP } from 'node:net'

const KNOWN_HOSTS_MAX = 100

/** Suffixes of names that no one can register. Such names exist only on this machine or in its network. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|test|home\.arpa)$/

/**
 * Whether the server accepts a Host header: an IP address, a name without a dot, a local name, or its own URL's host.
 * Another site can point its own name at this machine to read responses (DNS rebinding), but not one of these.
 */
export function localHosts(...addresses: readonly (string | undefined)[]): (host: string) => boolean {
  const own = new Set(addresses.flatMap((address) => (address === undefined ? [] : new URL(address).hostname)))
  const isLocal = (host: string): boolean => {
    const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? ''
    return (
      name !== '' &&
      (own.has(name) || !name.includes('.') || LOCAL_NAME.test(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0)
    )
  }
  // The same few names are checked all the time, so results are cached.
  const known = new Map<string, boolean>()
  return (host) => {
    const before = known.get(host)
    if (before !== undefined) return before
    const result = isLocal(host)
    if (known.size >= KNOWN_HOSTS_MAX) known.clear()
    known.set(host, result)
    return result
  }
}
