import { parseArgs } from 'node:util'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { fromNaira } from '@kobo/gateway/kernel/money.ts'
import { tellCredit } from '@kobo/rails/rehearse.ts'
import { type Command, print, UsageError } from '../command.ts'

export const railsPay: Command = {
  usage: 'URL --bank CODE --account NUMBER --amount NAIRA [--reference TEXT] [--secret-env NAME]',
  summary: 'Has the simulated partner of a connector process tell of money that arrived, to rehearse with',
  details: `
URL is the connector's address, as in KOBO_RAILS_URL. The secret is that partner's own, from KOBO_RAILS_SECRET or the variable
that --secret-env names. Only the sandbox's connector does so: no real money moves. Prints what the gateway answered.
`,
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { bank: text, account: text, amount: text, reference: text, 'secret-env': text },
    })
    const [url, ...more] = positionals
    if (url === undefined || more.length > 0 || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError('Name the connector by one http or https address.')
    const name = values['secret-env'] ?? 'KOBO_RAILS_SECRET'
    const secret = around.env[name]?.trim()
    if (!secret) throw new UsageError(`The secret of the partner is missing: set ${name}.`)
    const amount = fromNaira(values.amount ?? '')
    if (amount === undefined) throw new UsageError('--amount must be naira, as 5000 or 9999.99.')
    const wall = around.wall ?? wallClock
    const credit = {
      railReference: values.reference ?? `rehearsal-${wall.now().getTime()}`,
      bankCode: values.bank,
      accountNumber: values.account,
      amount: Number(amount),
      payer: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058', bvn: null },
    }
    const told = await tellCredit({ url: url.replace(/\/+$/, ''), secret: hidden(secret), wall }, credit)
    if (typeof told === 'string') throw new UsageError(`The connector did not do it: ${told}.`)
    print(around, told)
    return 0
  },
}
