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

/** The access control of the simulated issuer: it asks card holders whether a payment is theirs. */
export interface AccessControl {
  /** `over`: nothing is asked, or no longer. */
  readonly approve: (reference: string, otp: Hidden<string>) => Promise<'approved' | 'wrong otp' | 'refused' | 'over'>
  readonly refuse: (reference: string) => Promise<'refused' | 'over'>
}

const REFUSED = declined('The card holder refused the payment')

export function simulatedAccessControl(world: World): AccessControl {
  /** Writes down what follows from an answer of the holder, who is asked until the first that decides; answers what that is. */
  async function answered(
    reference: string,
    follows: (asked: ChallengeFacts) => ChargeFacts,
  ): Promise<ChargeFacts | undefined> {
    // Whoever comes too late tries again: somebody else has answered, which can happen only so often.
    for (let others = 0; others <= WRONG_OTPS_MAX; others++) {
      const asked = await readCharge(world, reference)
      if (asked?.state !== '3ds') return undefined
      const facts = follows(asked)
      if (await replaceCharge(world, reference, asked, facts)) return facts
    }
    return undefined
  }
  return {
    approve: async (reference, otp) => {
      const facts = await answered(reference, (asked) => (isOtp(otp) ? APPROVED : afterWrongOtp(asked)))
      if (facts === undefined) return 'over'
      if (facts.state === 'approved') return 'approved'
      return facts.state === 'declined' ? 'refused' : 'wrong otp'
    },
    refuse: async (reference) => ((await answered(reference, () => REFUSED)) === undefined ? 'over' : 'refused'),
  }
}

function afterWrongOtp(asked: ChallengeFacts): ChargeFacts {
  const wrongOtps = asked.wrongOtps + 1
  return wrongOtps < WRONG_OTPS_MAX ? { ...asked, wrongOtps } : declined('Too many wrong OTPs')
}
