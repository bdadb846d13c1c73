import Type, { type Static } from 'typebox'
import { httpErrors } from '../../platform/http.ts'
import { checkTexts, compileCheck } from '../../platform/validation.ts'
import type { InboundCredit } from '../bank.ts'
import { KoboNumber, readKobo } from './adapter.ts'

/** What a notice of a credit is signed as. */
export const CREDITS = 'credits'

/** What the partner behind the adapter is called. */
export const ADAPTER = 'adapter'

const orNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const BankCode = Type.String({ pattern: '^\\d{3,6}$', 'x-rule': 'a bank code of 3 to 6 digits' })
const AccountNumber = Type.String({ pattern: '^\\d{10}$', 'x-rule': 'an account number of 10 digits' })
const Name = Type.String({ maxLength: 255 })

const Told = Type.Object({
  railReference: Type.String({ pattern: '^\\P{C}{1,128}$', 'x-rule': '1 to 128 printable characters' }),
  bankCode: BankCode,
  accountNumber: AccountNumber,
  amount: KoboNumber,
  payer: Type.Optional(
    Type.Object({
      name: orNull(Name),
      accountNumber: orNull(AccountNumber),
      bankCode: orNull(BankCode),
      bvn: orNull(Type.String({ pattern: '^\\d{11}$', 'x-rule': '11 digits' })),
    }),
  ),
  narration: orNull(Name),
})
const findWrong = compileCheck(Told, 'body')

/** Money that the operator's bank has received, as its adapter tells of it. Refuses what is malformed. */
export function readCredit(text: string): InboundCredit {
  const told = parsed(text)
  checkTexts(told)
  const wrong = findWrong(told)
  if (wrong !== undefined) throw wrong
  const { railReference, bankCode, accountNumber, amount, payer, narration } = told as Static<typeof Told>
  return {
    partner: ADAPTER,
    railReference,
    bankCode,
    accountNumber,
    amount: readKobo(amount),
    payer: {
      name: payer?.name ?? null,
      accountNumber: payer?.accountNumber ?? null,
      bankCode: payer?.bankCode ?? null,
      bvn: payer?.bvn ?? null,
    },
    narration: narration ?? null,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpErrors.invalidJson()
  }
}
