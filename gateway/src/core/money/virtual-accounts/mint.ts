import { secondsAfter } from '../../../kernel/clock.ts'
import { invariant } from '../../../kernel/errors.ts'
import { nuban } from '../../../kernel/nuban.ts'
import type { Tx } from '../../../platform/db.ts'
import { accountKey, insertAccounts, selectHeld, type UnnumberedAccount, type VirtualAccount } from './accounts.ts'
import type { PrefixSource } from './sources.ts'

const NUMBER_LENGTH = 10
const DAY_SECONDS = 86_400
const BLOCK_SIZE = 100
/** Odd and no multiple of five, so multiplying by it modulo a power of ten gives every serial once, in no order that can be guessed at a glance. */
const SCATTER = 387_420_489n
/** So many times free numbers are looked for, among so many each time; a prefix of which none of them is free is used up. */
const ROUNDS_MAX = 20
const LOOKED_AT = 250

/** How many numbers there are under a prefix. */
export function capacityOf({ prefix, checkDigit }: Pick<PrefixSource, 'prefix' | 'checkDigit'>): bigint {
  const digits = NUMBER_LENGTH - prefix.length - (checkDigit === 'nuban' ? 1 : 0)
  return digits < 0 ? 0n : 10n ** BigInt(digits)
}

/** What one of several installations has of a source: the numbers that go on with its digits. */
export const ofCell = (source: PrefixSource, cell: string): PrefixSource => ({
  ...source,
  prefix: source.prefix + cell,
})

/** Since when a number of a source must have been closed to be given to somebody else. */
export const restedBefore = ({ restDays }: PrefixSource, at: Date): Date => secondsAfter(at, -restDays * DAY_SECONDS)

/** The number of a source at a place in the order in which they are handed out; after the last one they start again. */
function numberAt({ bankCode, prefix, checkDigit }: PrefixSource, place: bigint): string {
  const capacity = capacityOf({ prefix, checkDigit })
  const serial = ((place * SCATTER) % capacity).toString().padStart(String(capacity).length - 1, '0')
  return checkDigit === 'nuban' ? nuban(bankCode, prefix + serial) : prefix + serial
}

/** Makes account numbers under prefixes, and opens accounts under them. */
export interface Mint {
  /** Opens as many of the accounts as there are free numbers; answers them by their place among those that are wanted. */
  readonly open: (
    tx: Tx,
    source: PrefixSource,
    wanted: readonly UnnumberedAccount[],
  ) => Promise<ReadonlyMap<number, VirtualAccount>>
  /** A number that is no bank's, for who needs one. */
  readonly ownNumber: (tx: Tx) => Promise<string>
}

export function openMint(cell: string): Mint {
  let block = 0n
  let left = 0

  /**
   * Places are taken in blocks. A sequence makes nobody wait and takes nothing back, so the caller's own transaction asks
   * it: a further connection never comes while every one of the pool is held by a caller who waits for one.
   */
  async function nextPlaces(tx: Tx, count: number): Promise<readonly bigint[]> {
    const places: bigint[] = []
    while (places.length < count) {
      if (left === 0) {
        const [row] = await tx<{ block: bigint }[]>`select nextval('virtual_account_block') as block`
        invariant(row !== undefined, 'a sequence gives a number')
        block = row.block
        left = BLOCK_SIZE
      }
      places.push(block * BigInt(BLOCK_SIZE) + BigInt(BLOCK_SIZE - left))
      left--
    }
    return places
  }

  /** As many numbers as are wanted; fewer where there are not so many. */
  const draw = async (tx: Tx, source: PrefixSource, count: number): Promise<readonly string[]> => [
    ...new Set((await nextPlaces(tx, count)).map((place) => numberAt(ofCell(source, cell), place))),
  ]

  /** Nearly all of a large prefix is free, and is not asked for first; where some were taken, more are looked at. */
  async function drawFree(tx: Tx, source: PrefixSource, count: number, before: Date): Promise<readonly string[]> {
    const drawn = await draw(tx, source, Math.max(count, LOOKED_AT))
    const held = await selectHeld(tx, source.bankCode, drawn, before)
    return drawn.filter((accountNumber) => !held.has(accountNumber))
  }

  return {
    open: async (tx, source, wanted) => {
      const opened = new Map<number, VirtualAccount>()
      const [first] = wanted
      if (first === undefined || capacityOf(ofCell(source, cell)) === 0n) return opened
      const before = restedBefore(source, first.openedAt)
      for (let round = 0; opened.size < wanted.length && round < ROUNDS_MAX; round++) {
        const missing = [...wanted.entries()].filter(([index]) => !opened.has(index))
        const numbers = await (round === 0 ? draw : drawFree)(tx, source, missing.length, before)
        const proposed = missing.flatMap(([index, account], nth) => {
          const accountNumber = numbers[nth]
          return accountNumber === undefined ? [] : { index, account: { ...account, accountNumber } }
        })
        const taken = await insertAccounts(
          tx,
          proposed.map(({ account }) => account),
          before,
        )
        for (const { index, account } of proposed) if (taken.has(accountKey(account))) opened.set(index, account)
      }
      return opened
    },
    ownNumber: async (tx) => {
      const [place = 0n] = await nextPlaces(tx, 1)
      return numberAt(ofCell(OWN_NUMBERS, cell), place)
    },
  }
}

/** Numbers of ours have a check digit too: a slip of the pen is seen. */
const OWN_NUMBERS = { bankCode: '000', prefix: '', checkDigit: 'nuban' } as PrefixSource
