import { audit } from '@kobo/gateway/core/security/audit.ts'
import { type UnitOfWork, unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import type { Proposal } from '@kobo/gateway/features/operator/index.ts'
import { type CommandContext, type OpenGateway, print, UsageError, withCore } from '../../command.ts'
import { type ByOptions, handledByTwoOperators } from '../../operator.ts'

/** A credit that needs a manual decision. */
interface CreditRow {
  readonly merchantId: bigint
}

export interface Decision<Row extends CreditRow> {
  readonly act: string
  readonly details: object
  /** The same decision as a change that needs two operators. */
  readonly propose: (gateway: OpenGateway) => Promise<Proposal<'RETURN'> | Proposal<'CONFLICT'>>
  /** Returns undefined if the credit needs no decision. */
  readonly change: (unit: UnitOfWork, id: bigint) => Promise<Row | undefined>
  readonly referenceOf: (row: Row) => string
  readonly show: (row: Row) => object
}

/** Applies a manual decision about a credit and audits it. */
export const decideCredit = <Row extends CreditRow>(
  context: CommandContext,
  id: bigint,
  options: ByOptions,
  { act, details, change, propose, referenceOf, show }: Decision<Row>,
): Promise<number> =>
  withCore(context, async (gateway) => {
    const { core } = gateway
    if (await handledByTwoOperators(context, gateway, options, () => propose(gateway))) return 0
    const row = await unitOfWork(core, async (unit) => {
      const changed = await change(unit, id)
      if (changed !== undefined)
        audit(unit, {
          merchantId: changed.merchantId,
          act,
          actor: 'command line',
          reference: referenceOf(changed),
          details: { id: String(id), ...details },
        })
      return changed
    })
    if (row === undefined) throw new UsageError(`No credit with id ${id} needs a decision.`)
    print(context, show(row))
    return 0
  })
