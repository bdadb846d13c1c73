import type { Hidden } from '../../kernel/hidden.ts'
import { type ChallengeFacts, isOtp, readCharge, type World, writeCharge } from './card.ts'

const WRONG_OTPS_MAX = 5

/** The access control of the simulated issuer: it asks card holders whether a payment is theirs. */
export interface AccessControl {
  /** `over`: nothing is asked, or no longer. */
  readonly approve: (reference: string, otp: Hidden<string>) => Promise<'approved' | 'wrong otp' | 'refused' | 'over'>
  readonly refuse: (reference: string) => Promise<'refused' | 'over'>
}

export function simulatedAccessControl(world: World): AccessControl {
  const challenge = async (reference: string): Promise<ChallengeFacts | undefined> => {
    const facts = await readCharge(world, reference)
    return facts?.state === '3ds' ? facts : undefined
  }
  return {
    approve: async (reference, otp) => {
      const asked = await challenge(reference)
      if (asked === undefined) return 'over'
      if (isOtp(otp)) {
        await writeCharge(world, reference, { state: 'approved', reusable: true })
        return 'approved'
      }
      const wrongOtps = asked.wrongOtps + 1
      if (wrongOtps < WRONG_OTPS_MAX) {
        await writeCharge(world, reference, { ...asked, wrongOtps })
        return 'wrong otp'
      }
      await writeCharge(world, reference, { state: 'declined', reason: 'Too many wrong OTPs' })
      return 'refused'
    },
    refuse: async (reference) => {
      if ((await challenge(reference)) === undefined) return 'over'
      await writeCharge(world, reference, { state: 'declined', reason: 'The card holder refused the payment' })
      return 'refused'
    },
  }
}
