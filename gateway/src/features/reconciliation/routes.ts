import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { readDay, StatementError } from '../../core/bank-statements/index.ts'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { cacheLedgerBalances, closeDays } from './day-balance.ts'
import { decide, explain } from './decide.ts'
import type { Resolution } from './decision-repository.ts'
import { reconciliationErrors } from './errors.ts'
import { showFloat } from './float.ts'
import { importFile } from './import.ts'
import { showDay, showExceptions, showHistory, showPartners, showRange } from './show.ts'
import { findAccount } from './statement-repository.ts'

interface Deps {
  readonly core: Core
  readonly rules: Pick<Config, 'floatMinimum'>
}

export function reconciliationRoutes(serve: Serve, { core, rules: { floatMinimum } }: Deps): void {
  const held = cacheLedgerBalances(core.clock)
  serve(contract.listExceptions, async (_, { person }) => ({
    partners: await showPartners(core, held),
    exceptions: await showExceptions(core, person),
  }))
  serve(contract.getFloat, () => showFloat(core, floatMinimum))
  serve(contract.decideException, async ({ params, body }, { person, by }) => {
    const decision = { wanted: readResolution(body), by: person.email, because: body.because.trim() }
    const deciding = unitOfWork(core, (unit) => decide(unit, BigInt(params.id), decision, by))
    const { state } = await asErrorResponse(deciding, reconciliationErrors.notDecided)
    return { state }
  })
  serve(contract.explainException, async ({ params, body }, { by }) => {
    const explaining = unitOfWork(core, (unit) => explain(unit, BigInt(params.id), body.because.trim(), by))
    const { state } = await asErrorResponse(explaining, reconciliationErrors.notDecided)
    return { state }
  })
  partnerRoutes(serve, core)
}

/** Serves the routes of one partner: its history, its statements and its days. */
function partnerRoutes(serve: Serve, core: Core): void {
  const checkPartner = async (partner: string): Promise<void> => {
    if ((await findAccount(core.db, partner)) === undefined) throw reconciliationErrors.unknownAccount(partner)
  }
  serve(contract.getReconciledPartner, async ({ params: { partner } }) => {
    await checkPartner(partner)
    return showHistory(core.db, partner)
  })
  serve(contract.importStatement, async ({ params: { partner }, body: { name, content } }, { by }) => {
    await checkPartner(partner)
    const importing = importFile(core, { partner, name, bytes: Buffer.from(content, 'base64') }, by)
    const { isKnown, lines, newLines, tooEarly, matched, exceptions, ...days } = await asErrorResponse(
      importing,
      reconciliationErrors.notImported,
    )
    return { isKnown, lines, newLines, tooEarly, matched, exceptions, ...showRange(days) }
  })
  serve(contract.closeDay, async ({ params: { partner }, body }, { by }) => {
    await checkPartner(partner)
    const through = readDay(body.through)
    invariant(through !== undefined, 'the contract checks the day')
    const closing = unitOfWork(core, (unit) => closeDays(unit, partner, through, by))
    return { days: (await asErrorResponse(closing, reconciliationErrors.notClosed)).map(showDay) }
  })
}

function readResolution({
  as,
  other = '',
  bankCode = '',
  accountNumber = '',
  merchantCode = '',
  reference,
}: Input<typeof contract.decideException>['body']): Resolution {
  if (as === 'moved') return { as, other }
  if (as === 'merchant') return { as, merchantCode }
  if (as !== 'credit') return { as }
  if (bankCode === '' || accountNumber === '')
    throw reconciliationErrors.notDecided('A credit needs the bank and account number it was paid to.')
  return { as, bankCode, accountNumber, ...(reference === undefined ? {} : { reference }) }
}

/** Turns a StatementError, an operator's mistake, into an error response. */
const asErrorResponse = <T>(work: Promise<T>, errorOf: (why: string) => Error): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof StatementError ? errorOf(error.message) : error
  })
