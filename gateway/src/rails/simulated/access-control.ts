import type { Hidden } from '../../kernel/hidden.ts'
import { type ChallengeFacts, isOtp, readCharge, type World, writeCharge } from './card.ts'

const WRONG_OTPS_MAX = 5

/** What the issuer shows its card holder. */
export type Challenge = Pick<ChallengeFacts, 'merchantName' | 'amount' | 'currencyCode' | 'last4'>

/** The access control of the simulated issuer: it asks card holders whether a payment is theirs. */
export interface AccessControl {
  /** What is to be asked, or undefined where nothing is, or no longer. */
  readonly challenge: (reference: string) => Promise<Challenge | undefined>
  readonly approve: (reference: string, otp: Hidden<string>) => Promise<'approved' | 'wrong otp' | 'refused' | 'over'>
  readonly refuse: (reference: string) => Promise<'refused' | 'over'>
}

export function simulatedAccessControl(world: World): AccessControl {
  const open = async (reference: string): Promise<ChallengeFacts | undefined> => {
    const charge = await readCharge(world, reference)
    return charge?.facts.state === '3ds' && !charge.isOver ? charge.facts : undefined
  }
  return {
    challenge: open,
    approve: async (reference, otp) => {
      const challenge = await open(reference)
      if (challenge === undefined) return 'over'
      if (isOtp(otp)) {
        await writeCharge(world, reference, { state: 'approved' })
        return 'approved'
      }
      const wrongOtps = challenge.wrongOtps + 1
      if (wrongOtps < WRONG_OTPS_MAX) {
        await writeCharge(world, reference, { ...challenge, wrongOtps })
        return 'wrong otp'
      }
      await writeCharge(world, reference, { state: 'declined', reason: 'Too many wrong OTPs' })
      return 'refused'
    },
    refuse: async (reference) => {
      if ((await open(reference)) === undefined) return 'over'
      await writeCharge(world, reference, { state: 'declined', reason: 'The card holder refused the payment' })
      return 'refused'
    },
  }
}
