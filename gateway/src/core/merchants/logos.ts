import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'

const logos = table('merchant_logo', ['merchantId', 'hash'], {
  merchantId: column<bigint>(),
  hash: column<string>(),
  type: column<string>(),
  content: column<Buffer>(),
  createdAt: column<Date>(),
})
export type Logo = Pick<Row<typeof logos>, 'hash' | 'type' | 'content'>

const HASH_LENGTH = 32
const RADIX = 36
/** The first bytes of each image type. */
const STARTS: Readonly<Record<string, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/webp': /^52494646.{8}57454250/,
}

/** Reads the image in a data URL; undefined if its bytes do not match the type. */
export function readLogo(dataUrl: string): Logo | undefined {
  const [, type = '', base64 = ''] = /^data:(image\/\w+);base64,(.*)$/.exec(dataUrl) ?? []
  const content = Buffer.from(base64, 'base64')
  if (STARTS[type]?.test(content.subarray(0, 12).toString('hex')) !== true) return undefined
  return { hash: createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH), type, content }
}

/** Returns the path of a merchant's logo; null if it has none. */
export const logoPath = ({ id, logoHash }: { readonly id: bigint; readonly logoHash: string | null }): string | null =>
  logoHash === null ? null : `/checkout/logos/${id.toString(RADIX)}-${logoHash}`

/** Finds a logo by the last part of its path. */
export async function findLogo(db: Db, name: string): Promise<Logo | undefined> {
  const [, id, hash] = /^([0-9a-z]{1,13})-([0-9a-f]{32})$/.exec(name) ?? []
  if (id === undefined || hash === undefined) return undefined
  // Base-36 digits are added up as bigint, because a floating-point number would lose precision.
  const merchantId = [...id].reduce((sum, digit) => sum * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX)), 0n)
  return merchantId > 0x7fffffffffffffffn ? undefined : logos.find(db, { merchantId, hash })
}

export function storeLogo(tx: Tx, merchantId: bigint, { hash, type, content }: Logo, createdAt: Date): void {
  void tx`delete from merchant_logo where merchant_id = ${merchantId}`
  logos.insert(tx, [{ merchantId, hash, type, content, createdAt }])
}
