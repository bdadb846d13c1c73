import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import { StatementError } from '../../core/money/statements/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { decide } from './decide.ts'
import type { Wanted } from './decision-repository.ts'
import { reconciliationErrors } from './errors.ts'
import { rememberHeld } from './prove.ts'
import { showExceptions, showPartners } from './show.ts'

export function reconciliationRoutes(serve: Serve, { core }: { readonly core: Core }): void {
  const held = rememberHeld(core.clock)
  serve(contract.listExceptions, async (_, { person }) => ({
    partners: await showPartners(core, held),
    exceptions: await showExceptions(core, person),
  }))
  serve(contract.decideException, async ({ params, body }, { person, by }) => {
    const word = { wanted: readWanted(body), by: person.email, because: body.because.trim() }
    const { state } = await told(unitOfWork(core, (unit) => decide(unit, BigInt(params.id), word, by)))
    return { state }
  })
}

function readWanted({
  as,
  other = '',
  bankCode = '',
  accountNumber = '',
}: Input<typeof contract.decideException>['body']): Wanted {
  if (as === 'moved') return { as, other }
  if (as !== 'credit') return { as }
  if (bankCode === '' || accountNumber === '')
    throw reconciliationErrors.notDecided('A credit needs the bank and the account number that it came to.')
  return { as, bankCode, accountNumber }
}

/** Tells who decides what is wrong with it. */
const told = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof StatementError ? reconciliationErrors.notDecided(error.message) : error
  })
