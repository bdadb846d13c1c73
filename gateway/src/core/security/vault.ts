import { randomBytes } from 'node:crypto'
import { invariant } from '../../kernel/errors.ts'
import { type Hidden, hidden } from '../../kernel/hidden.ts'
import { openHmac } from '../../platform/crypto.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, ofMerchants, type Row, table } from '../../platform/postgres/table.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Keyring } from './keyring.ts'
import { sealedColumn } from './sealed-column.ts'

const cardsOnFile = table('vault.card_on_file', ['merchantId', 'token'], {
  merchantId: column<bigint>(),
  token: column<string>(),
  /** Equal for the same card, email address and merchant. */
  fingerprint: column<string>(),
  /** The card's number, encrypted. */
  sealedNumber: column<Buffer>(),
  expiryMonth: column<string>(),
  expiryYear: column<string>(),
  /** The email address of the payment that stored the card. Charges by token must have the same address. */
  customerEmail: column<string>(),
  createdAt: column<Date>(),
})
type StoredCard = Row<typeof cardsOnFile>

export interface NewCardOnFile extends Pick<StoredCard, 'merchantId' | 'expiryMonth' | 'expiryYear' | 'customerEmail'> {
  /** Equal for the same card and merchant. */
  readonly fingerprint: string
  readonly number: Hidden<string>
}

/** A stored card, decrypted. */
export interface CardOnFile extends NewCardOnFile {
  readonly token: string
}

/** Stores card numbers encrypted: under a token, or in the caller's own row while a charge is in progress. */
export interface Vault {
  /** Computes a value that is equal for the same card and merchant. Without the key it reveals nothing. */
  readonly fingerprint: (merchantId: bigint, number: Hidden<string>) => string
  /** Stores cards, reusing the token for the same email address; returns the tokens in order. */
  readonly keep: (unit: UnitOfWork, cards: readonly NewCardOnFile[]) => Promise<readonly string[]>
  readonly find: (merchantId: bigint, token: string) => Promise<CardOnFile | undefined>
  /**
   * Encrypts a number for the caller's own row. `place` names that row: in another row the number cannot be decrypted.
   */
  readonly hold: (place: string, number: Hidden<string>) => string
  readonly release: (place: string, held: string) => Hidden<string>
}

const TOKEN_BYTES = 16
const FINGERPRINT_LENGTH = 32

const newToken = (): string => `KBO_${randomBytes(TOKEN_BYTES).toString('hex').toUpperCase()}`
const numberContext = ({ merchantId, token }: Pick<StoredCard, 'merchantId' | 'token'>): string =>
  `card/${merchantId}/${token}`
/** Returns the encryption context of a number in the caller's own row. */
export const heldContext = (place: string): string => `held card/${place}`
const keyOf = ({ merchantId, fingerprint }: { merchantId: bigint; fingerprint: string }): string =>
  `${merchantId} ${fingerprint}`

/** Whether two email addresses are equal, ignoring case. */
export const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/**
 * Opens the vault. The charging transaction stores cards but cannot read their numbers; only the vault's own database
 * role can.
 */
export function openVault({ keyring, vaultDb }: { readonly keyring: Keyring; readonly vaultDb: Db }): Vault {
  const { seal, open } = keyring.of('cards')
  const sign = openHmac('sha256', keyring.derive('card fingerprints'), 'hex')
  const digest = (text: string): string => sign(text).slice(0, FINGERPRINT_LENGTH)
  const fingerprint = (merchantId: bigint, number: Hidden<string>): string => digest(`${merchantId} ${number.reveal()}`)
  /**
   * Computes the fingerprint of a card and its email address. A card is stored once per address, so a token works only
   * with the address of its first payment.
   */
  const withAddress = (card: NewCardOnFile): string =>
    digest(`${card.merchantId} ${card.fingerprint} ${card.customerEmail.toLowerCase()}`)

  async function insert(tx: Tx, at: Date, cards: readonly NewCardOnFile[]): Promise<void> {
    const rows = cards.map((card): StoredCard => {
      const { merchantId, number, expiryMonth, expiryYear, customerEmail } = card
      const token = newToken()
      const sealedNumber = seal(number.reveal(), numberContext({ merchantId, token }))
      const place = { merchantId, token, fingerprint: withAddress(card) }
      return { ...place, sealedNumber, expiryMonth, expiryYear, customerEmail, createdAt: at }
    })
    await tx`
      insert into vault.card_on_file (${cardsOnFile.columns})
      select ${cardsOnFile.columns} from ${cardsOnFile.set(rows)} new
       order by merchant_id, fingerprint
          on conflict (merchant_id, fingerprint) do nothing`
  }

  const findStored = (tx: Tx, cards: readonly NewCardOnFile[]) =>
    selectStored(
      tx,
      cards.map((card) => ({ card, place: { merchantId: card.merchantId, fingerprint: withAddress(card) } })),
    )

  return {
    fingerprint,

    keep: async ({ tx, at }, cards) => {
      let known = await findStored(tx, cards)
      const fresh = cards.filter((card) => !known.has(card))
      if (fresh.length > 0) {
        await insert(tx, at, [...new Map(fresh.map((card) => [withAddress(card), card])).values()])
        known = await findStored(tx, cards)
      }
      // A reissued card has the same number and another expiry date.
      updateExpiry(
        tx,
        [...known].flatMap(([card, stored]) => (isRenewed(card, stored) ? { ...card, token: stored.token } : [])),
      )
      return cards.map((card) => {
        const stored = known.get(card)
        invariant(stored !== undefined, 'a card on file is stored')
        return stored.token
      })
    },

    find: async (merchantId, token) => {
      const row = await cardsOnFile.find(vaultDb, { merchantId, token })
      if (row === undefined) return undefined
      const { sealedNumber, createdAt: _, ...card } = row
      const number = hidden(open(sealedNumber, numberContext(row)))
      return { ...card, number, fingerprint: fingerprint(merchantId, number) }
    },

    hold: (place, number) => seal(number.reveal(), heldContext(place)).toString('base64'),
    release: (place, held) => hidden(open(Buffer.from(held, 'base64'), heldContext(place))),
  }
}

export const sealedCards = [sealedColumn('cards', cardsOnFile, 'sealedNumber', numberContext)]

type CardSummary = Pick<
  StoredCard,
  'merchantId' | 'fingerprint' | 'token' | 'expiryMonth' | 'expiryYear' | 'customerEmail'
>

interface Requested {
  readonly card: NewCardOnFile
  /** The key under which the card is stored for its email address. */
  readonly place: Pick<StoredCard, 'merchantId' | 'fingerprint'>
}

/**
 * Finds the stored versions of cards. Older versions have the fingerprint of the card alone, because their token did
 * not depend on the email address.
 */
async function selectStored(tx: Tx, requested: readonly Requested[]): Promise<ReadonlyMap<NewCardOnFile, CardSummary>> {
  const keys = requested.flatMap(({ card, place }) => [card, place])
  const rows = await tx<CardSummary[]>`
    select c.merchant_id, c.fingerprint, c.token, c.expiry_month, c.expiry_year, c.customer_email
      from ${cardsOnFile.set(keys, ['merchantId', 'fingerprint'])} k
      join vault.card_on_file c on ${ofMerchants('c', keys)} and c.merchant_id = k.merchant_id and c.fingerprint = k.fingerprint`
  const stored = new Map(rows.map((row) => [keyOf(row), row]))
  return new Map(
    requested.flatMap(({ card, place }) => {
      const before = stored.get(keyOf(card))
      const isOurs = before !== undefined && isSameAddress(before.customerEmail, card.customerEmail)
      const found = stored.get(keyOf(place)) ?? (isOurs ? before : undefined)
      return found === undefined ? [] : [[card, found] as const]
    }),
  )
}

const isRenewed = (card: NewCardOnFile, stored: CardSummary): boolean =>
  stored.expiryMonth !== card.expiryMonth || stored.expiryYear !== card.expiryYear

function updateExpiry(
  tx: Tx,
  cards: readonly Pick<StoredCard, 'merchantId' | 'token' | 'expiryMonth' | 'expiryYear'>[],
): void {
  if (cards.length === 0) return
  void tx`
    update vault.card_on_file c
       set expiry_month = k.expiry_month, expiry_year = k.expiry_year
      from ${cardsOnFile.set(cards, ['merchantId', 'token', 'expiryMonth', 'expiryYear'])} k
     where ${ofMerchants('c', cards)} and c.merchant_id = k.merchant_id and c.token = k.token`
}
