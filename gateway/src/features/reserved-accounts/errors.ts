import { reservedAccountRefusals } from '@kobo/contract'
import { changed, type Refusal, refusals } from '../../kernel/errors.ts'

const declared = refusals(reservedAccountRefusals)

export const reservedAccountErrors = {
  ...declared,
  unknownBank: (status: number, bankCode: string): Refusal => changed(declared.unknownBank(bankCode), { status }),
  /** What is 422 elsewhere, where the route lists none. */
  splitRefused: (refused: Refusal): Refusal => changed(refused, { status: 400 }),
}
