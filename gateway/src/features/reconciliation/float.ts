import type * as contract from '@kobo/contract'
import type { Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { readLastClean, safeguarding } from '../../core/money/ledger/index.ts'
import { dayText } from '../../kernel/dates.ts'
import { toNaira, ZERO } from '../../kernel/money.ts'
import type { FloatMinimum } from '../../platform/config/config.ts'
import { selectBalances } from './statement-repository.ts'

/** Shows the money at partners and the money owed, as in the metrics, with each partner's last statement. */
export async function showFloat(
  { db, clock }: Core,
  minimums: readonly FloatMinimum[],
): Promise<Reply<typeof contract.getFloat>> {
  const [{ partners, held, owed, owedInAll, surplus }, clean] = await Promise.all([safeguarding(db), readLastClean(db)])
  const names = new Set([...partners.map(({ partner }) => partner), ...minimums.map(({ partner }) => partner)])
  return {
    at: clock.now().toISOString(),
    partners: await Promise.all(
      [...names].map(async (partner) => {
        const found = partners.find((one) => one.partner === partner)
        const statement = partner === null ? undefined : (await selectBalances(db, partner)).at(-1)
        return {
          partner,
          held: toNaira(found?.held ?? ZERO),
          minimum: minimums.find((one) => one.partner === partner)?.naira ?? null,
          suspense: toNaira(found?.suspense ?? ZERO),
          costs: toNaira(found?.costs ?? ZERO),
          statement:
            statement === undefined ? null : { day: dayText(statement.day), balance: toNaira(statement.amount) },
        }
      }),
    ),
    held: toNaira(held),
    owed: Object.entries(owed).map(([to, amount]) => ({ to, amount: toNaira(amount) })),
    owedInAll: toNaira(owedInAll),
    surplus: toNaira(surplus),
    verifiedOn: clean.sinceCheckpointsAt?.toISOString() ?? null,
  }
}
