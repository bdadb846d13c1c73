import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { invariant } from '../../kernel/errors.ts'
import { type Hidden, hidden } from '../../kernel/hidden.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { column, ofMerchants, type Row, table } from '../../platform/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Keyring } from './keyring.ts'

const cardsOnFile = table('card_on_file', ['merchantId', 'token'], {
  merchantId: column<bigint>(),
  token: column<string>(),
  /** The same for the same card of the same merchant. */
  fingerprint: column<string>(),
  /** The card's number, encrypted. */
  sealedNumber: column<Buffer>(),
  expiryMonth: column<string>(),
  expiryYear: column<string>(),
  /** Of the first successful charge: later ones must name it. */
  customerEmail: column<string>(),
  createdAt: column<Date>(),
})
type StoredCard = Row<typeof cardsOnFile>

/** A card to be put on file. */
export interface NewCardOnFile
  extends Pick<StoredCard, 'merchantId' | 'fingerprint' | 'expiryMonth' | 'expiryYear' | 'customerEmail'> {
  readonly number: Hidden<string>
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
  readonly keep: (unit: UnitOfWork, cards: readonly NewCardOnFile[]) => Promise<readonly string[]>
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
    const rows = cards.map((card): StoredCard => {
      const { merchantId, fingerprint, number, expiryMonth, expiryYear, customerEmail } = card
      const token = newToken()
      const sealedNumber = keyring.seal(number.reveal(), numberContext(merchantId, token))
      return { merchantId, token, fingerprint, sealedNumber, expiryMonth, expiryYear, customerEmail, createdAt: at }
    })
    await tx`
      insert into card_on_file (${cardsOnFile.columns})
      select ${cardsOnFile.columns} from ${cardsOnFile.set(rows)} new
       order by merchant_id, fingerprint
          on conflict (merchant_id, fingerprint) do nothing`
  }

  return {
    fingerprint: (merchantId, number) =>
      createHmac('sha256', fingerprintKey)
        .update(`${merchantId} ${number.reveal()}`)
        .digest('hex')
        .slice(0, FINGERPRINT_LENGTH),

    keep: async ({ tx, at }, cards) => {
      const wanted = new Map(cards.map((card) => [keyOf(card), card]))
      let known = await selectKept(tx, [...wanted.values()])
      const fresh = [...wanted.values()].filter((card) => !known.has(keyOf(card)))
      if (fresh.length > 0) {
        await insert(tx, at, fresh)
        known = await selectKept(tx, [...wanted.values()])
      }
      // A card that was issued again has its number still, and another date.
      const renewed = [...wanted.values()].filter((card) => isRenewed(card, known.get(keyOf(card))))
      if (renewed.length > 0) updateExpiry(tx, renewed)
      return cards.map((card) => {
        const kept = known.get(keyOf(card))
        invariant(kept !== undefined, 'what was put on file is there')
        return kept.token
      })
    },

    find: async (db, merchantId, token) => {
      const row = await cardsOnFile.find(db, { merchantId, token })
      if (row === undefined) return undefined
      const { sealedNumber, createdAt: _, ...card } = row
      return { ...card, number: hidden(keyring.open(sealedNumber, numberContext(merchantId, token))) }
    },

    hold: (place, number) => keyring.seal(number.reveal(), `held card/${place}`).toString('base64'),
    release: (place, held) => hidden(keyring.open(Buffer.from(held, 'base64'), `held card/${place}`)),
  }
}

type Kept = Pick<StoredCard, 'merchantId' | 'fingerprint' | 'token' | 'expiryMonth' | 'expiryYear'>

const isRenewed = (card: NewCardOnFile, kept: Kept | undefined): boolean =>
  kept !== undefined && (kept.expiryMonth !== card.expiryMonth || kept.expiryYear !== card.expiryYear)

async function selectKept(tx: Tx, cards: readonly NewCardOnFile[]): Promise<ReadonlyMap<string, Kept>> {
  const rows = await tx<Kept[]>`
    select c.merchant_id, c.fingerprint, c.token, c.expiry_month, c.expiry_year
      from ${cardsOnFile.set(cards, ['merchantId', 'fingerprint'])} k
      join card_on_file c on ${ofMerchants('c', cards)} and c.merchant_id = k.merchant_id and c.fingerprint = k.fingerprint`
  return new Map(rows.map((row) => [keyOf(row), row]))
}

function updateExpiry(tx: Tx, cards: readonly NewCardOnFile[]): void {
  void tx`
    update card_on_file c
       set expiry_month = k.expiry_month, expiry_year = k.expiry_year
      from ${cardsOnFile.set(cards, ['merchantId', 'fingerprint', 'expiryMonth', 'expiryYear'])} k
     where ${ofMerchants('c', cards)} and c.merchant_id = k.merchant_id and c.fingerprint = k.fingerprint`
}
