import type { AuditRecord } from '../../core/security/audit.ts'
import type { Share, SharedLimit } from '../../core/security/limits.ts'
import type { SignedIn } from '../../core/sessions/index.ts'
import { emailKeyOf } from '../../core/sessions/index.ts'
import { networkOf } from '../../platform/http/ip-addresses.ts'
import { rejectIfLimited } from '../../platform/http/server.ts'

/**
 * Slows down attackers without locking out users. A lock on a whole account would let anyone lock its user out, so
 * wrong passwords are counted by account and network together. The totals of an account and of a network apply only to
 * browsers that are new to the user. A known browser has its own limit, and a link by mail or a passkey always works.
 * Every attempt is counted before its secret is compared, which covers parallel attempts too. A right secret takes its
 * count back.
 */
export interface SignInGuard {
  /** Compares a password if attempts are left; returns what `compare` returns: undefined for a wrong password. */
  readonly tryPassword: <T>(attempt: PasswordAttempt, compare: () => Promise<T | undefined>) => Promise<T | undefined>
  /** Compares a code of a second factor if attempts are left. */
  readonly trySecondFactor: <T>(
    person: SignedIn,
    address: string,
    compare: () => Promise<T | undefined>,
  ) => Promise<T | undefined>
  /** Ends a lock of the password, because the user has shown their second factor. */
  readonly unlock: (person: Pick<SignedIn, 'email' | 'deviceId'>, address: string) => Promise<void>
  /** Counts requested links, by network and by email address. */
  readonly countLink: (email: string, address: string) => Promise<void>
  /** Counts passkey challenges stored for callers who are not signed in. */
  readonly countChallenge: (address: string) => Promise<void>
}

interface PasswordAttempt {
  readonly email: string
  /** The browser, if the user has used it before. */
  readonly device: bigint | undefined
  readonly address: string
  /** The audit record of an attempt beyond a limit. */
  readonly rejected: AuditRecord
}

/** A limit and the caller that it counts. */
type Counted = readonly [limit: SharedLimit, caller: string]

/** How long sign-in is locked after ten wrong passwords or codes: the shortest time that PCI DSS allows. */
const LOCK_SECONDS = 1_800

const LIMITS = {
  ofNetwork: { name: 'wrong passwords of network', max: 100, seconds: 600 },
  fromNetwork: { name: 'wrong password from network', max: 10, seconds: LOCK_SECONDS, locks: true },
  fromStrangers: { name: 'wrong password from strangers', max: 100, seconds: 3_600, locks: true },
  fromDevice: { name: 'wrong password from device', max: 10, seconds: LOCK_SECONDS, locks: true },
  secondFactor: { name: 'wrong second factor', max: 10, seconds: LOCK_SECONDS, locks: true },
  linksOfNetwork: { name: 'links of network', max: 20, seconds: 3_600 },
  challenges: { name: 'passkey challenges', max: 100, seconds: 600 },
  linksToAddress: { name: 'links to address', max: 5, seconds: 3_600 },
} as const satisfies Readonly<Record<string, Share>>

export function openSignInGuard(openSharedLimit: (share: Share) => SharedLimit): SignInGuard {
  const limits = {
    ofNetwork: openSharedLimit(LIMITS.ofNetwork),
    fromNetwork: openSharedLimit(LIMITS.fromNetwork),
    fromStrangers: openSharedLimit(LIMITS.fromStrangers),
    fromDevice: openSharedLimit(LIMITS.fromDevice),
    secondFactor: openSharedLimit(LIMITS.secondFactor),
    linksOfNetwork: openSharedLimit(LIMITS.linksOfNetwork),
    linksToAddress: openSharedLimit(LIMITS.linksToAddress),
    challenges: openSharedLimit(LIMITS.challenges),
  }
  /** Returns the limits towards which an attempt with a password counts. */
  const ofPassword = ({ email, device, address }: Omit<PasswordAttempt, 'rejected'>): readonly Counted[] =>
    device === undefined
      ? [
          [limits.ofNetwork, networkOf(address)],
          [limits.fromNetwork, `${emailKeyOf(email)} ${networkOf(address)}`],
          [limits.fromStrangers, emailKeyOf(email)],
        ]
      : [[limits.fromDevice, `${emailKeyOf(email)} ${device}`]]
  // Browsers that are new to the user share one count, since an attacker can pose as a new one each time.
  const secondFactorCaller = ({ personId, deviceId, isKnownDevice }: SignedIn): string =>
    isKnownDevice ? `${personId} ${deviceId}` : String(personId)
  return {
    tryPassword: (attempt, compare) => tryCounted(ofPassword(attempt), attempt.address, compare, attempt.rejected),
    trySecondFactor: (person, address, compare) =>
      tryCounted([[limits.secondFactor, secondFactorCaller(person)]], address, compare),
    unlock: async ({ email, deviceId }, address) => {
      // Only the user's own counts are reset, so that an attacker's account does not free a whole network.
      for (const device of [undefined, deviceId])
        for (const [limit, caller] of ofPassword({ email, device, address }))
          if (limit !== limits.ofNetwork) await limit.reset(caller)
    },
    countChallenge: async (address) => rejectIfLimited(await limits.challenges.count(networkOf(address), address)),
    countLink: async (email, address) => {
      rejectIfLimited(await limits.linksOfNetwork.count(networkOf(address), address))
      rejectIfLimited(await limits.linksToAddress.count(emailKeyOf(email), address))
    },
  }
}

/** Counts an attempt, compares, and takes the count back if the secret was right. */
async function tryCounted<T>(
  counted: readonly Counted[],
  address: string,
  compare: () => Promise<T | undefined>,
  rejected?: AuditRecord,
): Promise<T | undefined> {
  for (const [limit, caller] of counted) rejectIfLimited(await limit.count(caller, address, rejected))
  const right = await compare()
  if (right !== undefined) for (const [limit, caller] of counted) await limit.giveBack(caller, address)
  return right
}
