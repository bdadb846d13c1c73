import { isIP } from 'node:net'

const KNOWN_HOSTS_MAX = 100

/** Endings of names that nobody can register: what answers to one is on this machine or in its own network. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|test|home\.arpa)$/

/**
 * Whether a server answers to what stands in the header Host: an address, a name without a dot, a name of this machine's
 * own network, or the host of an address of its own. A page of another site can have its own name resolve to this machine and
 * then read what is answered; it cannot do so with these.
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
  // The same few names are asked for all the time.
  const known = new Map<string, boolean>()
  return (host) => {
    const before = known.get(host)
    if (before !== undefined) return before
    const answer = isLocal(host)
    if (known.size >= KNOWN_HOSTS_MAX) known.clear()
    known.set(host, answer)
    return answer
  }
}
