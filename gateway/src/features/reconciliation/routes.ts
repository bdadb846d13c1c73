import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import { StatementError } from '../../core/bank-statements/index.ts'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import type { Config } from '../../platform/config/config.ts'
import { cacheLedgerBalances } from './day-balance.ts'
import { decide } from './decide.ts'
import type { Resolution } from './decision-repository.ts'
import { reconciliationErrors } from './errors.ts'
import { showFloat } from './float.ts'
import { showExceptions, showPartners } from './show.ts'

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
    const { state } = await asErrorResponse(unitOfWork(core, (unit) => decide(unit, BigInt(params.id), decision, by)))
    return { state }
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

/** Returns an operator's mistake as an error response. */
const asErrorResponse = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof StatementError ? reconciliationErrors.notDecided(error.message) : error
  })
