import { reservedAccountRefusals } from '@kobo/contract'
import { changed, type Refusal, refusals } from '../../kernel/errors.ts'

const declared = refusals(reservedAccountRefusals)

export const reservedAccountErrors = {
  ...declared,
  unknownBank: (status: number, bankCode: string): Refusal => changed(declared.unknownBank(bankCode), { status }),
  /** Turns an error that is 422 elsewhere into 400, for routes that list no 422. */
  splitRejected: (error: Refusal): Refusal => changed(error, { status: 400 }),
}
