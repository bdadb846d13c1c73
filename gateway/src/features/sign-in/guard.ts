import type { Share, SharedLimit } from '../../core/security/limits.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { emailKeyOf } from '../../core/sessions/index.ts'
import { networkOf } from '../../platform/http/ip-addresses.ts'
import { rejectIfLimited } from '../../platform/http/server.ts'

/**
 * Slows down attackers only. An account lock would let anyone lock others out, so wrong passwords are counted by
 * account and network together, and the total over all networks applies only to browsers that are new to the user. A
 * known browser has its own limit, and a link by mail always works.
 */
export interface SignInGuard {
  readonly checkPassword: (email: string, device: bigint | undefined, address: string) => Promise<void>
  readonly countWrongPassword: (email: string, device: bigint | undefined, address: string) => Promise<void>
  readonly checkSecondFactor: (person: SignedIn, address: string) => Promise<void>
  readonly countWrongSecondFactor: (person: SignedIn, address: string) => Promise<void>
  /** Counts requested links, by network and by email address. */
  readonly countLink: (email: string, address: string) => Promise<void>
  /** Counts passkey challenges stored for callers who are not signed in. */
  readonly countChallenge: (address: string) => Promise<void>
}

const LIMITS = {
  fromNetwork: { name: 'wrong password from network', max: 10, seconds: 600 },
  fromStrangers: { name: 'wrong password from strangers', max: 100, seconds: 3_600 },
  fromDevice: { name: 'wrong password from device', max: 10, seconds: 600 },
  secondFactor: { name: 'wrong second factor', max: 10, seconds: 900 },
  linksOfNetwork: { name: 'links of network', max: 20, seconds: 3_600 },
  challenges: { name: 'passkey challenges', max: 100, seconds: 600 },
  linksToAddress: { name: 'links to address', max: 5, seconds: 3_600 },
} as const satisfies Readonly<Record<string, Share>>

export function openSignInGuard(shared: (share: Share) => SharedLimit): SignInGuard {
  const limits = {
    fromNetwork: shared(LIMITS.fromNetwork),
    fromStrangers: shared(LIMITS.fromStrangers),
    fromDevice: shared(LIMITS.fromDevice),
    secondFactor: shared(LIMITS.secondFactor),
    linksOfNetwork: shared(LIMITS.linksOfNetwork),
    linksToAddress: shared(LIMITS.linksToAddress),
    challenges: shared(LIMITS.challenges),
  }
  /** The limits that a wrong password counts towards. */
  const counted = (email: string, device: bigint | undefined, address: string): readonly [SharedLimit, string][] =>
    device === undefined
      ? [
          [limits.fromNetwork, `${emailKeyOf(email)} ${networkOf(address)}`],
          [limits.fromStrangers, emailKeyOf(email)],
        ]
      : [[limits.fromDevice, `${emailKeyOf(email)} ${device}`]]
  // Browsers that are new to the user share one count, since an attacker can pose as a new one each time.
  const showing = ({ personId, deviceId, isKnownDevice }: SignedIn): string =>
    isKnownDevice ? `${personId} ${deviceId}` : String(personId)
  return {
    checkPassword: async (email, device, address) => {
      for (const [limit, caller] of counted(email, device, address))
        rejectIfLimited(await limit.usedUp(caller, address))
    },
    countWrongPassword: async (email, device, address) => {
      for (const [limit, caller] of counted(email, device, address)) rejectIfLimited(await limit.count(caller, address))
    },
    checkSecondFactor: async (person, address) =>
      rejectIfLimited(await limits.secondFactor.usedUp(showing(person), address)),
    countWrongSecondFactor: async (person, address) =>
      rejectIfLimited(await limits.secondFactor.count(showing(person), address)),
    countChallenge: async (address) => rejectIfLimited(await limits.challenges.count(networkOf(address), address)),
    countLink: async (email, address) => {
      rejectIfLimited(await limits.linksOfNetwork.count(networkOf(address), address))
      rejectIfLimited(await limits.linksToAddress.count(emailKeyOf(email), address))
    },
  }
}
