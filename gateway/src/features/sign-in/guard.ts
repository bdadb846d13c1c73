import type { Share, SharedLimit } from '../../core/security/limits.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { emailKeyOf } from '../../core/sessions/index.ts'
import { networkOf } from '../../platform/addresses.ts'
import { refuseWait } from '../../platform/http.ts'

/**
 * Holds up who guesses, and nobody else. A lock on an account would be a tool for whoever wants to lock others out, so
 * wrong passwords are counted by account and network together, and those of all networks only against browsers that the
 * person never signed in with. A browser that is known has a share of its own; a link by mail always leads in.
 */
export interface SignInGuard {
  readonly checkPassword: (email: string, device: bigint | undefined, address: string) => Promise<void>
  readonly countWrongPassword: (email: string, device: bigint | undefined, address: string) => Promise<void>
  readonly checkSecondFactor: (person: SignedIn, address: string) => Promise<void>
  readonly countWrongSecondFactor: (person: SignedIn, address: string) => Promise<void>
  /** Counts links that are asked for, by network and by address. */
  readonly countLink: (email: string, address: string) => Promise<void>
  /** Counts what strangers have us write down for a passkey to sign. */
  readonly countChallenge: (address: string) => Promise<void>
}

const SHARES = {
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
    fromNetwork: shared(SHARES.fromNetwork),
    fromStrangers: shared(SHARES.fromStrangers),
    fromDevice: shared(SHARES.fromDevice),
    secondFactor: shared(SHARES.secondFactor),
    linksOfNetwork: shared(SHARES.linksOfNetwork),
    linksToAddress: shared(SHARES.linksToAddress),
    challenges: shared(SHARES.challenges),
  }
  /** What a wrong password from there counts for. */
  const counted = (email: string, device: bigint | undefined, address: string): readonly [SharedLimit, string][] =>
    device === undefined
      ? [
          [limits.fromNetwork, `${emailKeyOf(email)} ${networkOf(address)}`],
          [limits.fromStrangers, emailKeyOf(email)],
        ]
      : [[limits.fromDevice, `${emailKeyOf(email)} ${device}`]]
  // Browsers that are new to the person share one count: each wrong try could come from a further one.
  const showing = ({ personId, deviceId, isKnownDevice }: SignedIn): string =>
    isKnownDevice ? `${personId} ${deviceId}` : String(personId)
  return {
    checkPassword: async (email, device, address) => {
      for (const [limit, caller] of counted(email, device, address)) refuseWait(await limit.usedUp(caller, address))
    },
    countWrongPassword: async (email, device, address) => {
      for (const [limit, caller] of counted(email, device, address)) refuseWait(await limit.count(caller, address))
    },
    checkSecondFactor: async (person, address) =>
      refuseWait(await limits.secondFactor.usedUp(showing(person), address)),
    countWrongSecondFactor: async (person, address) =>
      refuseWait(await limits.secondFactor.count(showing(person), address)),
    countChallenge: async (address) => refuseWait(await limits.challenges.count(networkOf(address), address)),
    countLink: async (email, address) => {
      refuseWait(await limits.linksOfNetwork.count(networkOf(address), address))
      refuseWait(await limits.linksToAddress.count(emailKeyOf(email), address))
    },
  }
}
