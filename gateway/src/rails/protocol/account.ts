import Type from 'typebox'
import {
  AccountNumber,
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
  response,
  Text,
  UNKNOWN,
} from './fields.ts'

const REFUSED = response('refused', { reason: Text })
export const Opened = response('opened', {
  bankCode: BankCode,
  accountNumber: AccountNumber,
  accountName: Text,
  closesAt: orNull(Moment),
})
const OUTCOMES = [Opened, REFUSED, UNKNOWN] as const
const CHANGES = Type.Union([response('done', {}), REFUSED, response('unsupported', {}), UNKNOWN])
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
