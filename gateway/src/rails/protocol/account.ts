import Type from 'typebox'
import {
  AccountNumber,
  answer,
  BankCode,
  ByReference,
  ElevenDigits,
  Moment,
  NOT_FOUND,
  NOT_SENT,
  operation,
  orNull,
  Placed,
  Reference,
  Text,
  UNKNOWN,
} from './fields.ts'

const REFUSED = answer('refused', { reason: Text })
export const Opened = answer('opened', {
  bankCode: BankCode,
  accountNumber: AccountNumber,
  accountName: Text,
  closesAt: orNull(Moment),
})
const OUTCOMES = [Opened, REFUSED, UNKNOWN] as const
const CHANGES = Type.Union([answer('done', {}), REFUSED, answer('unsupported', {}), UNKNOWN])
const Issued = { reference: Reference, bankCode: BankCode, accountNumber: AccountNumber }

export const accountOperations = {
  'account/open': operation({
    capability: 'issued-accounts',
    summary: 'Opens an account number at the bank',
    request: Type.Object({
      reference: Reference,
      ...Placed,
      bankCode: BankCode,
      kind: Type.Union([Type.Literal('STATIC'), Type.Literal('DYNAMIC')]),
      accountName: Text,
      expiresAt: orNull(Moment),
      customer: orNull(
        Type.Object({
          name: orNull(Text),
          email: orNull(Text),
          bvn: orNull(ElevenDigits),
          nin: orNull(ElevenDigits),
        }),
      ),
    }),
    response: Type.Union([...OUTCOMES, NOT_SENT]),
    foundBy: 'account/find',
  }),
  'account/find': operation({
    capability: 'issued-accounts',
    summary: 'Returns the outcome of an opening',
    request: ByReference,
    response: Type.Union([...OUTCOMES, NOT_FOUND]),
  }),
  'account/close': operation({
    capability: 'issued-accounts',
    summary: 'Closes an account to further credits; a repeated request has no further effect',
    request: Type.Object(Issued),
    response: CHANGES,
  }),
  'account/rename': operation({
    capability: 'issued-accounts',
    summary: 'Renames an account; a repeated request has no further effect',
    request: Type.Object({ ...Issued, accountName: Text }),
    response: CHANGES,
  }),
}
