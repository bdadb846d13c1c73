import { parseArgs } from 'node:util'
import { findMerchantId } from '@kobo/gateway/core/merchants/index.ts'
import { readChain, verifyChain } from '@kobo/gateway/core/security/audit-chain.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'

export const auditVerify: Command = {
  usage: '[--kept NUMBER:HASH …]',
  summary: 'Works out the chain of the audit anew; exit code 1 if a record was changed, removed or put in',
  details: `
Prints {links, head, outside, wrong} as JSON. Keep links and head somewhere else, as 1234:9f86…: the metric
kobo_audit_head tells them too. Named as --kept later, they prove that nothing before them was written anew.
`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { kept: { type: 'string', multiple: true } } })
    const kept = (values.kept ?? []).map(readKept)
    return withCore(around, async ({ core }) => {
      const verdict = await verifyChain(core.db, kept)
      print(around, verdict)
      return verdict.wrong.length === 0 ? 0 : 1
    })
  },
}

function readKept(text: string): { readonly number: bigint; readonly hash: string } {
  const [, number, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  if (number === undefined || hash === undefined) throw new UsageError('--kept must be NUMBER:HASH.')
  return { number: BigInt(number), hash }
}

export const auditExport: Command = {
  usage: '[--merchant CODE] [--after NUMBER]',
  summary: 'Prints what was audited, a line of JSON for each record, in the order of the chain',
  details: '\nGo on from the last number you have with --after.\n',
  run: async (args, around) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { merchant: text, after: text } })
    if (!/^\d{1,18}$/.test(values.after ?? '0')) throw new UsageError('--after must be a number of the chain.')
    return withCore(around, async ({ core }) => {
      const only = values.merchant === undefined ? undefined : await findMerchantId(core.db, values.merchant)
      if (values.merchant !== undefined && only === undefined)
        throw new UsageError(`There is no merchant ${values.merchant}.`)
      for await (const { number, hash, record } of readChain(core.db, BigInt(values.after ?? 0)))
        if (record !== undefined && (only === undefined || record.merchantId === only))
          around.out(
            `${JSON.stringify({ number: String(number), ...record, merchantId: String(record.merchantId), id: String(record.id), hash: hash.toString('hex') })}\n`,
          )
      return 0
    })
  },
}
