import type { Sweep } from '../../core/sweep.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { inOneStatement, inTransaction } from '../../platform/db.ts'
import { askAbout, type Deps as DebitDeps } from './debits.ts'
import { afterDue } from './mandate.ts'
import { lockDueMandates, nextDebitToAsk, nextMandateDue, takeToAsk, takeToInstruct } from './repository.ts'
import { changeMandates, instruct, instructAgainAt, type Deps as MandateDeps } from './service.ts'

/** Mandates that renew themselves more often are caught up with in one go, so that a year can pass in a moment. */
const PERIOD_SECONDS_MIN = 86_400
/** Longer than a bank takes to answer: until then another process does not ask about the same debit. */
const ASKING_SECONDS = 60
const AT_ONCE_MAX = 10

/** What falls due of mandates and debits. */
export function directDebitSweeps(deps: MandateDeps & DebitDeps): readonly Sweep[] {
  const { db, ids } = deps
  return [
    {
      name: 'mandates that are due',
      run: (at, limit) =>
        inTransaction(db, async (tx) => {
          const due = await lockDueMandates(tx, at, limit)
          await changeMandates(
            tx,
            ids,
            at,
            due.flatMap((mandate) => afterDue(mandate, at) ?? []),
          )
          return due.length
        }),
      nextDue: () => nextMandateDue(db, PERIOD_SECONDS_MIN),
    },
    {
      name: 'mail instructions for mandates',
      run: async (at, limit) => {
        const taken = await inOneStatement(db, (tx) => takeToInstruct(tx, at, instructAgainAt(at), limit))
        await someAtOnce(taken, (mandate) => instruct(deps, mandate))
        return taken.length
      },
    },
    {
      name: 'ask about debits',
      run: async (at, limit) => {
        const until = secondsAfter(at, ASKING_SECONDS)
        const taken = await inOneStatement(db, (tx) => takeToAsk(tx, at, until, limit))
        await someAtOnce(taken, (debit) => askAbout(deps, debit))
        return taken.length
      },
      nextDue: () => nextDebitToAsk(db),
    },
  ]
}

/** Does something for each, a few at a time. */
async function someAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE_MAX)
    await Promise.all(items.slice(start, start + AT_ONCE_MAX).map(work))
}
