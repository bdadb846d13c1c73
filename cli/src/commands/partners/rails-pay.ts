import { parseArgs } from 'node:util'
import { notifyCredit } from '@kobo/connectors/rehearse.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { fromNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, isHttpUrl, print, UsageError } from '../../command.ts'

export const railsPay: Command = {
  usage: 'URL --bank CODE --account NUMBER --amount NAIRA [--reference TEXT] [--secret-env NAME]',
  summary: 'Makes a simulated partner send a credit notification, for rehearsals',
  details: `
URL is the connector's URL, as in KOBO_RAILS_URL. The secret comes from KOBO_RAILS_SECRET or the variable in --secret-env. Works
only with the sandbox connector, so no real money moves. Prints the gateway's response.
`,
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { bank: text, account: text, amount: text, reference: text, 'secret-env': text },
    })
    const [url, ...more] = positionals
    if (url === undefined || more.length > 0 || !isHttpUrl(url))
      throw new UsageError('Specify the connector by one http or https URL.')
    const name = values['secret-env'] ?? 'KOBO_RAILS_SECRET'
    const secret = context.env[name]?.trim()
    if (!secret) throw new UsageError(`The partner’s secret is missing. Set ${name}.`)
    const amount = fromNaira(values.amount ?? '')
    if (amount === undefined) throw new UsageError('--amount must be naira, such as 5000 or 9999.99.')
    const wall = context.wall ?? wallClock
    const credit = {
      railReference: values.reference ?? `rehearsal-${wall.now().getTime()}`,
      bankCode: values.bank,
      accountNumber: values.account,
      amount: Number(amount),
      payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
    }
    const response = await notifyCredit({ url: url.replace(/\/+$/, ''), secret: hidden(secret), wall }, credit)
    if (typeof response === 'string') throw new UsageError(`The connector rejected the request: ${response}.`)
    if ('kind' in response && response.kind === 'unsupported')
      throw new Error(
        'Only simulated partners can be paid into this way: pay into the account at your bank, or let its simulator notify the connector.',
      )
    print(context, response)
    return 0
  },
}
