import { parseArgs } from 'node:util'
import { findMerchantId } from '@kobo/gateway/core/merchants/index.ts'
import { chainLine, readChain, verifyChain } from '@kobo/gateway/core/security/audit-chain.ts'
import { readPublished } from '@kobo/gateway/core/security/published-head.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'

export const auditVerify: Command = {
  usage: '[--saved NUMBER:HASH …]',
  summary: 'Verifies the audit log’s hash chain; exit code 1 if a record was changed, removed or inserted',
  details: `
Compares the chain with the signed head that the gateway publishes in KOBO_DATA_DIR, so that removed records are found at its end
too. Prints {links, head, outside, wrong, published} as JSON; published is null if this machine has no such file. The log and the
metric kobo_audit_head have heads too: pass one as --saved, such as 1234:9f86…, to prove that no record before it was rewritten.
`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { saved: { type: 'string', multiple: true } } })
    const saved = (values.saved ?? []).map(readHead)
    return withCore(context, async ({ core, config }) => {
      const published = await readPublished(core.keyring, config.dataDirectory)
      const own = published?.isOurs === true ? [{ ...published, hash: published.hash.toString('hex') }] : []
      const verdict = await verifyChain(core.db, [...saved, ...own])
      const forged = published?.isOurs === false ? [`${published.file}: its signature is wrong`] : []
      const wrong = [...forged, ...verdict.wrong]
      print(context, { ...verdict, wrong, published: own[0] === undefined ? null : `${own[0].number}:${own[0].hash}` })
      return wrong.length === 0 ? 0 : 1
    })
  },
}

function readHead(text: string): { readonly number: bigint; readonly hash: string } {
  const [, number, hash] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  if (number === undefined || hash === undefined)
    throw new UsageError('--saved must be NUMBER:HASH, such as 1234:9f86…')
  return { number: BigInt(number), hash }
}

export const auditExport: Command = {
  usage: '[--merchant CODE] [--after NUMBER]',
  summary: 'Exports the audit log, one line of JSON per record, in chain order',
  details: '\nUse --after with the last number you have to continue an export.\n',
  run: async (args, context) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args, options: { merchant: text, after: text } })
    if (!/^\d{1,18}$/.test(values.after ?? '0')) throw new UsageError('--after must be a record number.')
    return withCore(context, async ({ core }) => {
      const only = values.merchant === undefined ? undefined : await findMerchantId(core.db, values.merchant)
      if (values.merchant !== undefined && only === undefined)
        throw new UsageError(`No merchant has the code ${values.merchant}.`)
      for await (const link of readChain(core.db, BigInt(values.after ?? 0)))
        if (link.record !== undefined && (only === undefined || link.record.merchantId === only))
          context.out(`${chainLine(link)}\n`)
      return 0
    })
  },
}
