import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { invariant } from '../kernel/errors.ts'
import { type Hidden, hidden } from '../kernel/hidden.ts'
import { type Db, rowSet, type Tx } from '../platform/db.ts'
import type { Keyring } from './keyring.ts'

/** A card to be put on file. */
export interface NewCardOnFile {
  readonly merchantId: bigint
  readonly fingerprint: string
  readonly number: Hidden<string>
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly customerEmail: string
}

/** A card on file, opened. */
export interface CardOnFile extends NewCardOnFile {
  readonly token: string
}

/** Where card numbers are kept, encrypted: by token for cards on file, or in the caller's own row while that waits. */
export interface Vault {
  /** The same for the same card of the same merchant. Without the key it tells nothing of the number. */
  readonly fingerprint: (merchantId: bigint, number: Hidden<string>) => string
  /** Puts cards on file, each under the token that it may already have; answers the tokens in order. */
  readonly keep: (tx: Tx, at: Date, cards: readonly NewCardOnFile[]) => Promise<readonly string[]>
  readonly find: (db: Db, merchantId: bigint, token: string) => Promise<CardOnFile | undefined>
  /** Encrypts a number for the caller's own row. `place` names the row: elsewhere it does not open. */
  readonly hold: (place: string, number: Hidden<string>) => string
  readonly release: (place: string, held: string) => Hidden<string>
}

const TOKEN_BYTES = 16
const FINGERPRINT_LENGTH = 32

const newToken = (): string => `KBO_${randomBytes(TOKEN_BYTES).toString('hex').toUpperCase()}`
const numberContext = (merchantId: bigint, token: string): string => `card/${merchantId}/${token}`
const keyOf = ({ merchantId, fingerprint }: { merchantId: bigint; fingerprint: string }): string =>
  `${merchantId} ${fingerprint}`

export function openVault(keyring: Keyring): Vault {
  // As a key object: Node.js takes many times longer with bytes, and every charge asks.
  const fingerprintKey = createSecretKey(keyring.derive('card fingerprints'))

  async function insert(tx: Tx, at: Date, cards: readonly NewCardOnFile[]): Promise<void> {
    const rows = cards.map(({ number, ...card }) => {
      const token = newToken()
      const sealed = keyring.seal(number.reveal(), numberContext(card.merchantId, token))
      return { ...card, token, sealedNumber: `\\x${sealed.toString('hex')}`, createdAt: at }
    })
    await tx`
      insert into card_on_file
      select * from json_populate_recordset(null::card_on_file, ${rowSet(rows)}::text::json)
       order by merchant_id, fingerprint
          on conflict (merchant_id, fingerprint) do nothing`
  }

  return {
    fingerprint: (merchantId, number) =>
      createHmac('sha256', fingerprintKey)
        .update(`${merchantId} ${number.reveal()}`)
        .digest('hex')
        .slice(0, FINGERPRINT_LENGTH),

    keep: async (tx, at, cards) => {
      const wanted = new Map(cards.map((card) => [keyOf(card), card]))
      let known = await selectKept(tx, [...wanted.values()])
      const fresh = [...wanted.values()].filter((card) => !known.has(keyOf(card)))
      if (fresh.length > 0) {
        await insert(tx, at, fresh)
        known = await selectKept(tx, [...wanted.values()])
      }
      // A card that was issued again has its number still, and another date.
      const renewed = [...wanted.values()].filter((card) => isRenewed(card, known.get(keyOf(card))))
      if (renewed.length > 0) await updateExpiry(tx, renewed)
      return cards.map((card) => {
        const kept = known.get(keyOf(card))
        invariant(kept !== undefined, 'what was put on file is there')
        return kept.token
      })
    },

    find: async (db, merchantId, token) => {
      const [row] = await db<(Omit<CardOnFile, 'number'> & { sealedNumber: Buffer })[]>`
        select merchant_id, token, fingerprint, sealed_number, expiry_month, expiry_year, customer_email
          from card_on_file
         where merchant_id = ${merchantId} and token = ${token}`
      if (row === undefined) return undefined
      const { sealedNumber, ...card } = row
      return { ...card, number: hidden(keyring.open(sealedNumber, numberContext(merchantId, token))) }
    },

    hold: (place, number) => keyring.seal(number.reveal(), `held card/${place}`).toString('base64'),
    release: (place, held) => hidden(keyring.open(Buffer.from(held, 'base64'), `held card/${place}`)),
  }
}

interface Kept {
  readonly merchantId: bigint
  readonly fingerprint: string
  readonly token: string
  readonly expiryMonth: string
  readonly expiryYear: string
}

const isRenewed = (card: NewCardOnFile, kept: Kept | undefined): boolean =>
  kept !== undefined && (kept.expiryMonth !== card.expiryMonth || kept.expiryYear !== card.expiryYear)

async function selectKept(tx: Tx, cards: readonly NewCardOnFile[]): Promise<ReadonlyMap<string, Kept>> {
  const rows = await tx<Kept[]>`
    select merchant_id, fingerprint, token, expiry_month, expiry_year
      from json_to_recordset(${rowSet(cards, ['merchantId', 'fingerprint'])}::text::json) as k (merchant_id bigint, fingerprint text)
      join card_on_file using (merchant_id, fingerprint)`
  return new Map(rows.map((row) => [keyOf(row), row]))
}

async function updateExpiry(tx: Tx, cards: readonly NewCardOnFile[]): Promise<void> {
  const rows = rowSet(cards, ['merchantId', 'fingerprint', 'expiryMonth', 'expiryYear'])
  await tx`
    update card_on_file c
       set expiry_month = k.expiry_month, expiry_year = k.expiry_year
      from json_to_recordset(${rows}::text::json) as k (merchant_id bigint, fingerprint text, expiry_month text, expiry_year text)
     where c.merchant_id = k.merchant_id and c.fingerprint = k.fingerprint`
}
