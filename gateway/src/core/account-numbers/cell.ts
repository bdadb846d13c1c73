import type { Db } from '../../platform/postgres/db.ts'
import { UNASSIGNED } from './accounts.ts'
import { isPrefixSource, selectSources } from './sources.ts'

const NUMBER_LENGTH = 10

/** Thrown at start if the setting KOBO_CELL_DIGITS does not match the account numbers that were issued. */
export class WrongCell extends Error {}

/** Returns the first and last number with a prefix. */
const boundsOf = (digits: string): readonly [string, string] => [
  digits.padEnd(NUMBER_LENGTH, '0'),
  digits.padEnd(NUMBER_LENGTH, '9'),
]

/**
 * Throws if this installation has issued account numbers without its cell digits. A cell is one of several
 * installations. Its digits follow the bank's prefix in each number that it issues, so no number is issued twice.
 */
export async function checkCell(db: Db, cell: string): Promise<void> {
  if (cell === '') return
  for (const { code, bankCode, prefix } of (await selectSources(db)).filter(isPrefixSource)) {
    const [first, last] = boundsOf(prefix)
    const [ownFirst, ownLast] = boundsOf(prefix + cell)
    const [another] = await db<{ accountNumber: string }[]>`
      -- over all merchants: cell digits apply to the whole installation
      (select account_number from virtual_account
        where bank_code = ${bankCode} and account_number >= ${first} and account_number < ${ownFirst} and purpose <> ${UNASSIGNED} limit 1)
      union all
      (select account_number from virtual_account
        where bank_code = ${bankCode} and account_number > ${ownLast} and account_number <= ${last} and purpose <> ${UNASSIGNED} limit 1)
      limit 1`
    if (another !== undefined)
      throw new WrongCell(
        `KOBO_CELL_DIGITS is ${cell}, but ${code} has issued ${another.accountNumber}, which does not begin with ${prefix}${cell}: another installation may issue it too. Restore the previous setting, and give other installations their own prefixes (kobo accounts sources add).`,
      )
  }
}
