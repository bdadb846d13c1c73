import { parseArgs } from 'node:util'
import { TRACES } from '@kobo/gateway/app/people.ts'
import { erasePerson, type Identifiers, personOf } from '@kobo/gateway/core/people/index.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/progress.ts'
import { type Command, print, UsageError, withMerchant } from '../command.ts'

export const customerErase: Command = {
  usage: '--merchant CODE [--email EMAIL] [--phone NUMBER]',
  summary: 'Forgets a customer of a merchant: a pseudonym stands where they were named, the books stay as they are',
  details: `
Payments, refunds, invoices, reserved accounts, mandates, wallets, bills and events show the pseudonym from then on; cards on
file, mails and kept answers are gone. By phone, mandates and bills are found. Refused while something of the person is open: a
payment, a refund, a mandate, a reserved account, a wallet with money in it. It may be stopped at any time; start it again.

Prints {merchant, pseudonym, erased} as JSON.
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { merchant: text, email: text, phone: text } })
    const identifiers = checkIdentifiers(values)
    const { err, isWatched = false } = around
    const progress = isWatched ? progressBar(err, 'Erasing', 'steps') : NO_PROGRESS
    return withMerchant(around, values.merchant, async ({ core }, merchant) => {
      const person = personOf(core.keyring, merchant.id, identifiers)
      const erased = await erasePerson(core, TRACES, person, progress.show).finally(progress.clear)
      print(around, { merchant: merchant.code, pseudonym: person.pseudonym.email, erased })
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
