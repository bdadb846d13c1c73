import { secondsAfter } from '../../kernel/clock.ts'
import { invariant } from '../../kernel/errors.ts'
import { nuban } from '../../kernel/nuban.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { accountKey, insertAccounts, selectHeld, type UnnumberedAccount, type VirtualAccount } from './accounts.ts'
import type { PrefixSource } from './sources.ts'

const NUMBER_LENGTH = 10
const DAY_SECONDS = 86_400
const BLOCK_SIZE = 100
/**
 * Positions are multiplied by this factor, modulo a power of ten. It has no common factor with ten, so every serial
 * appears once, in no obvious order.
 */
const SCATTER = 387_420_489n
/**
 * How many times we search for free numbers, and how many candidates we check each time. If all are taken, the prefix
 * counts as used up.
 */
const ROUNDS_MAX = 20
const CANDIDATES_MIN = 250

/** Returns the number of account numbers under a prefix. */
export function capacityOf({ prefix, checkDigit }: Pick<PrefixSource, 'prefix' | 'checkDigit'>): bigint {
  const digits = NUMBER_LENGTH - prefix.length - (checkDigit === 'nuban' ? 1 : 0)
  return digits < 0 ? 0n : 10n ** BigInt(digits)
}

/** Restricts a source to this installation's numbers: those with its cell digits after the bank's prefix. */
export const ofCell = (source: PrefixSource, cell: string): PrefixSource => ({
  ...source,
  prefix: source.prefix + cell,
})

/** Numbers closed before this time may be reused. */
export const restedBefore = ({ restDays }: PrefixSource, at: Date): Date => secondsAfter(at, -restDays * DAY_SECONDS)

/** Returns the number at a position. Positions beyond the capacity start over at the first number. */
function numberAt({ bankCode, prefix, checkDigit }: PrefixSource, place: bigint): string {
  const capacity = capacityOf({ prefix, checkDigit })
  const serial = ((place * SCATTER) % capacity).toString().padStart(String(capacity).length - 1, '0')
  return checkDigit === 'nuban' ? nuban(bankCode, prefix + serial) : prefix + serial
}

/** Creates account numbers under prefixes and opens accounts. */
export interface Mint {
  /** Opens as many accounts as there are free numbers; returns them by position in the request. */
  readonly open: (
    tx: Tx,
    source: PrefixSource,
    requested: readonly UnnumberedAccount[],
  ) => Promise<ReadonlyMap<number, VirtualAccount>>
  /** One of Kobo's own numbers, which belongs to no bank. */
  readonly ownNumber: (tx: Tx) => Promise<string>
}

export function openMint(cell: string): Mint {
  let block = 0n
  let leftInBlock = 0

  /**
   * Takes positions from a database sequence, which neither waits nor rolls back. It uses the caller's transaction:
   * a second connection could deadlock the pool.
   */
  async function nextPlaces(tx: Tx, count: number): Promise<readonly bigint[]> {
    const places: bigint[] = []
    while (places.length < count) {
      if (leftInBlock === 0) {
        const [row] = await tx<{ block: bigint }[]>`select nextval('virtual_account_block') as block`
        invariant(row !== undefined, 'a sequence gives a number')
        block = row.block
        leftInBlock = BLOCK_SIZE
      }
      places.push(block * BigInt(BLOCK_SIZE) + BigInt(BLOCK_SIZE - leftInBlock))
      leftInBlock--
    }
    return places
  }

  /** Draws the numbers at the next positions without checking that they are free: in a large prefix nearly all are. */
  const draw = async (tx: Tx, source: PrefixSource, count: number): Promise<readonly string[]> => [
    ...new Set((await nextPlaces(tx, count)).map((place) => numberAt(ofCell(source, cell), place))),
  ]

  /** Draws many numbers and returns the free ones. It is used from the second round, if some numbers were taken. */
  async function drawFree(tx: Tx, source: PrefixSource, count: number, before: Date): Promise<readonly string[]> {
    const drawn = await draw(tx, source, Math.max(count, CANDIDATES_MIN))
    const held = await selectHeld(tx, source.bankCode, drawn, before)
    return drawn.filter((accountNumber) => !held.has(accountNumber))
  }

  return {
    open: async (tx, source, requested) => {
      const opened = new Map<number, VirtualAccount>()
      const [first] = requested
      if (first === undefined || capacityOf(ofCell(source, cell)) === 0n) return opened
      const before = restedBefore(source, first.openedAt)
      for (let round = 0; opened.size < requested.length && round < ROUNDS_MAX; round++) {
        const missing = [...requested.entries()].filter(([index]) => !opened.has(index))
        const numbers = await (round === 0 ? draw : drawFree)(tx, source, missing.length, before)
        const proposed = missing.flatMap(([index, account], nth) => {
          const accountNumber = numbers[nth]
          return accountNumber === undefined
            ? []
            : { index, account: { ...account, accountNumber, partner: source.partner } }
        })
        const inserted = await insertAccounts(
          tx,
          proposed.map(({ account }) => account),
          before,
        )
        for (const { index, account } of proposed) if (inserted.has(accountKey(account))) opened.set(index, account)
      }
      return opened
    },
    ownNumber: async (tx) => {
      const [place = 0n] = await nextPlaces(tx, 1)
      return numberAt(ofCell(OWN_NUMBERS, cell), place)
    },
  }
}

/** Kobo's own numbers have a check digit too, so that typos are noticed. */
const OWN_NUMBERS = { bankCode: '000', prefix: '', checkDigit: 'nuban' } as PrefixSource
