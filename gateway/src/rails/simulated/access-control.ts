import type { Hidden } from '../../kernel/hidden.ts'
import {
  APPROVED,
  type ChallengeFacts,
  type ChargeFacts,
  declined,
  isOtp,
  readCharge,
  replaceCharge,
  type World,
} from './card.ts'

const WRONG_OTPS_MAX = 5

/** The simulated issuer's access control server, which challenges card holders. */
export interface AccessControl {
  /** Approves a challenge with an OTP. `over`: there is no challenge, or it has ended. */
  readonly approve: (reference: string, otp: Hidden<string>) => Promise<'approved' | 'wrong otp' | 'refused' | 'over'>
  readonly refuse: (reference: string) => Promise<'refused' | 'over'>
}

const REFUSED = declined('The card holder refused the payment')

export function simulatedAccessControl(world: World): AccessControl {
  /** Stores and returns the card holder's decision. Only the first one counts. */
  async function storeDecision(
    reference: string,
    follows: (challenge: ChallengeFacts) => ChargeFacts,
  ): Promise<ChargeFacts | undefined> {
    // Retries after a concurrent decision. There can be only a few such decisions.
    for (let retries = 0; retries <= WRONG_OTPS_MAX; retries++) {
      const challenge = await readCharge(world, reference)
      if (challenge?.state !== '3ds') return undefined
      const facts = follows(challenge)
      if (await replaceCharge(world, reference, challenge, facts)) return facts
    }
    return undefined
  }
  return {
    approve: async (reference, otp) => {
      const facts = await storeDecision(reference, (challenge) => (isOtp(otp) ? APPROVED : afterWrongOtp(challenge)))
      if (facts === undefined) return 'over'
      if (facts.state === 'approved') return 'approved'
      return facts.state === 'declined' ? 'refused' : 'wrong otp'
    },
    refuse: async (reference) => ((await storeDecision(reference, () => REFUSED)) === undefined ? 'over' : 'refused'),
  }
}

function afterWrongOtp(challenge: ChallengeFacts): ChargeFacts {
  const wrongOtps = challenge.wrongOtps + 1
  return wrongOtps < WRONG_OTPS_MAX ? { ...challenge, wrongOtps } : declined('Too many wrong OTPs')
}
