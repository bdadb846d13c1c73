import { parseArgs } from 'node:util'
import { CUSTOMER_DATA } from '@kobo/gateway/app/features.ts'
import { customerOf, eraseCustomer, type Identifiers } from '@kobo/gateway/core/erasure/index.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/formats/progress-bar.ts'
import { type Command, print, UsageError, withMerchant } from '../../command.ts'

export const customerErase: Command = {
  usage: '--merchant CODE [--email EMAIL] [--phone NUMBER]',
  summary: 'Erases a customer’s personal data and puts a pseudonym in its place; the ledger does not change',
  details: `
Payments, refunds, invoices, reserved accounts, mandates, wallets, bills and events show the pseudonym from then on. Saved cards,
mails and stored responses are deleted. --phone finds mandates and bills only. The command is rejected while the customer has an
open payment, refund, mandate or reserved account, or a wallet with money in it. If it is interrupted, run it again.

Prints {merchant, pseudonym, erased} as JSON.
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { merchant: text, email: text, phone: text } })
    const identifiers = checkIdentifiers(values)
    const { err, isTerminal = false } = context
    const progress = isTerminal ? progressBar(err, 'Erasing', 'steps') : NO_PROGRESS
    return withMerchant(context, values.merchant, async ({ core }, merchant) => {
      const customer = customerOf(core.keyring, merchant.id, identifiers)
      const erased = await eraseCustomer(core, CUSTOMER_DATA, customer, progress.show).finally(progress.clear)
      print(context, { merchant: merchant.code, pseudonym: customer.pseudonym.email, erased })
    })
  },
}

const EMAIL = /^[^\s@]{1,200}@[^\s@]{1,200}$/
const PHONE = /^\+?\d{7,15}$/

function checkIdentifiers({ email, phone }: Identifiers): Identifiers {
  if (email === undefined && phone === undefined) throw new UsageError('--email or --phone is required.')
  if (email !== undefined && !EMAIL.test(email)) throw new UsageError('--email must be an email address.')
  if (phone !== undefined && !PHONE.test(phone)) throw new UsageError('--phone must be a phone number.')
  return { email, phone }
}
