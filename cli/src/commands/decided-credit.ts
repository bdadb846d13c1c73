import { audit } from '@kobo/gateway/core/security/audit.ts'
import { type UnitOfWork, unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { print, type Surroundings, UsageError, withCore } from '../command.ts'

/** What a person may decide about: money that arrived and was not simply taken. */
interface CreditRow {
  readonly merchantId: bigint
}

export interface Decision<Row extends CreditRow> {
  readonly act: string
  readonly details: object
  /** Answers undefined where no person is called for it. */
  readonly change: (unit: UnitOfWork, id: bigint) => Promise<Row | undefined>
  readonly referenceOf: (row: Row) => string
  readonly show: (row: Row) => object
}

/** Does what a person decided about a credit, and writes down that it was decided. */
export const decideCredit = <Row extends CreditRow>(
  around: Surroundings,
  id: bigint,
  { act, details, change, referenceOf, show }: Decision<Row>,
): Promise<number> =>
  withCore(around, async ({ core }) => {
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
    if (row === undefined) throw new UsageError(`No person is called for a credit ${id}.`)
    print(around, show(row))
    return 0
  })
