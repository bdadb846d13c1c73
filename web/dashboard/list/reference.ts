const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12

/** A reference of its own for something that is made here: `refund-k3v9t2m8xq4r`. */
export function newReference(kind: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
  return `${kind}-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`
}
